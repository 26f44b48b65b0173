// Goal: the files to deploy the services name only what they have, and their tools accept them.
// Method: the files are parsed; systemd, nginx, Caddy, Prometheus and Compose check them where the
// machine has these.
import { validate } from 'dockerfile-utils'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NATS_SERVER } from '@orrery/testkit/nats-server'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentHelp } from '../../src/config.ts'
import { selfSigned } from '../operations/certificate.ts'
import type { Loose } from '../player-client.ts'

const DEPLOY = new URL('../../deploy/', import.meta.url)
const ROOT = new URL('../../../../', import.meta.url)

const workplace = mkdtempSync(join(tmpdir(), 'orrery-deploy-'))
afterAll(() => rmSync(workplace, { recursive: true, force: true }))

function read(name: string): string {
  return readFileSync(new URL(name, DEPLOY), 'utf8')
}

/** Writes a file of the folder with other paths; returns where. */
function adapted(name: string, change: (text: string) => string): string {
  const path = join(workplace, basename(name))
  writeFileSync(path, change(read(name)))
  return path
}

/** Text that holds all variables of the services. */
const VARIABLES = environmentHelp() + read('../../design-sessions/src/config.ts')

/** Words of systemd, Node, images, PostgreSQL's image, Kubernetes, nats.conf and the console. */
const FOREIGN = new Set([
  'AF_UNIX',
  'AF_INET',
  'STATE_DIRECTORY',
  'NODE_COMPILE_CACHE',
  'NODE_IMAGE',
  'BASE_IMAGE',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'NATS_PASSWORD',
  'POD_NAME',
  'PG_VERSION',
  'ORRERY_URL',
  'ORRERY_TOKEN',
])

/** The folder's files, by their paths in it. */
const FILES = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(fileURLToPath(DEPLOY), join(parentPath, name)))

test.each(FILES)('%s names only environment variables of the services', (file) => {
  const variable = /\b[A-Z]+(?:_[A-Z]+)+\b/g
  const known = new Set(VARIABLES.match(variable))
  const named = read(file).match(variable) ?? []
  expect(named.filter((name) => !known.has(name) && !FOREIGN.has(name))).toEqual([])
})

test.each(FILES)('%s names only files of the repository that there are', (file) => {
  const named = read(file).match(/(?<![\w.])(?:packages|scripts)\/[\w./-]*\w/g) ?? []
  const links = Array.from(read(file).matchAll(/\]\(([^():]+)\)/g), ([, link = '']) => link)
  const missing = [
    ...named.filter((path) => !existsSync(new URL(path, ROOT))),
    ...links.filter((link) => !existsSync(new URL(link, new URL(file, DEPLOY)))),
  ]
  expect(missing).toEqual([])
})

test('the commands from one machine to three are a script of bash', () => {
  const blocks = read('cluster/three-machines.md').matchAll(/^```sh\n(.*?)^```/gms)
  const input = Array.from(blocks, ([, block = '']) => block).join('')
  expect(input).toContain('pg_ctl promote')
  expect(() => execFileSync('bash', ['-n'], { input, stdio: 'pipe' })).not.toThrow()
})

test('the dashboard is JSON with a title', () => {
  expect(JSON.parse(read('dashboard.json'))).toHaveProperty('title', 'Orrery')
})

test('the Containerfile is valid, its services are not root, and Node is the first process', () => {
  const text = read('Containerfile')
  expect(validate(text).map(({ message }) => message)).toEqual([])
  expect(text).toMatch(/^USER orrery$/m)
  expect(text).toMatch(/^ENTRYPOINT \["node"\]$/m)
})

test('Compose starts what the Containerfile builds, with no variable but known ones', () => {
  const { services }: Loose = parse(read('compose.yaml'))
  const targets = Array.from(read('Containerfile').matchAll(/ AS (\S+)$/gm), ([, name]) => name)
  for (const name of ['game', 'design-sessions']) {
    const { build, environment, read_only } = services[name]
    expect(targets).toContain(build.target)
    expect(read_only).toBe(true)
    for (const variable of Object.keys(environment)) expect(VARIABLES).toContain(variable)
  }
  expect(services.database.healthcheck.test).toContain('pg_isready')
})

const SECRETS = {
  POSTGRES_PASSWORD: 'p',
  JWT_SECRET_KEY: 'k',
  ADMIN_USERNAME: 'Chief_1',
  ADMIN_PASSWORD: 'p',
  DESIGN_SESSIONS_TOKEN: 't',
  NATS_PASSWORD: 'p1',
}

/** nginx without its own folders. */
function nginxConfig(): string {
  const { key, certificate } = selfSigned()
  writeFileSync(join(workplace, 'privkey.pem'), key)
  writeFileSync(join(workplace, 'fullchain.pem'), certificate)
  const site = adapted('nginx.conf', (text) => text.replaceAll('/etc/orrery/tls', workplace))
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(workplace, name)};`,
  )
  const path = join(workplace, 'main.conf')
  const http = `access_log off; ${folders.join(' ')} include ${site};`
  writeFileSync(path, `pid ${workplace}/pid; error_log stderr; events {} http { ${http} }`)
  return path
}

/** A unit whose program is on this machine. */
function unit(name: string): string {
  const program = /\/srv\/orrery\/\S+\/node\b|\/usr\/sbin\/nats-server\b/g
  return adapted(name, (text) => text.replaceAll(program, process.execPath))
}

/** The file of NATS with TLS, which includes the other, with a certificate. */
function natsConfig(): string {
  const { key, certificate } = selfSigned()
  for (const name of ['nats.pem', 'ca.pem']) writeFileSync(join(workplace, name), certificate)
  writeFileSync(join(workplace, 'nats-key.pem'), key)
  adapted('cluster/nats.conf', (text) => text)
  return adapted('cluster/nats-tls.conf', (text) => text.replaceAll('/etc/orrery/tls', workplace))
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, DEPLOY))
}

describe.each<readonly [string, readonly string[], string, () => readonly string[]]>([
  ['promtool', ['--version'], 'alerts.yml', () => ['check', 'rules', pathOf('alerts.yml')]],
  [
    'promtool',
    ['--version'],
    'prometheus.yml',
    () => ['check', 'config', '--syntax-only', pathOf('prometheus.yml')],
  ],
  [
    'caddy',
    ['version'],
    'Caddyfile',
    () => ['validate', '--adapter', 'caddyfile', '--config', pathOf('Caddyfile')],
  ],
  ['nginx', ['-v'], 'nginx.conf', () => ['-t', '-p', workplace, '-c', nginxConfig()]],
  [
    'systemd-analyze',
    ['--version'],
    'the units',
    () => {
      return ['verify', ...FILES.filter((name) => /\.(?:service|timer)$/.test(name)).map(unit)]
    },
  ],
  [
    NATS_SERVER ?? 'nats-server',
    ['--version'],
    'nats.conf and nats-tls.conf',
    () => ['-t', '--config', natsConfig()],
  ],
  [
    'docker',
    ['compose', 'version'],
    'compose.yaml',
    () => ['compose', '--file', pathOf('compose.yaml'), 'config', '--quiet'],
  ],
])('%s', (tool, version, file, args) => {
  test.runIf(isHere(tool, version))(`accepts ${file}`, () => {
    const env = { ...process.env, ...SECRETS, HOME: workplace }
    expect(() => execFileSync(tool, args(), { stdio: 'pipe', env })).not.toThrow()
  })
})

function isHere(tool: string, version: readonly string[]): boolean {
  try {
    execFileSync(tool, version, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
