// Goal: the packed client works outside this repository. Method: its tarball is installed into an
// empty project, without a registry; one program is checked there, then plays on a real server
// under every Node on the path and, bundled, in a browser.
import { type ServiceProcess, startService } from '@orrery/testkit'
import { CHROMIUM_RUNS_HERE, type OpenPage, openPage } from '@orrery/testkit/browser-page'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PROGRAM = `
import { ClientError, type ShipState, connectSocket, createGameClient } from '@orrery/client'

export async function play(url: string, username: string): Promise<string> {
  const game = createGameClient({ url })
  const { token, ship_id: shipId } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token })
  const own = new Promise<ShipState>((resolve) => {
    socket.on('tick', ({ ships }) => {
      const ship = ships.find((one) => one.ship_id === shipId)
      if (ship !== undefined) resolve(ship)
    })
  })
  await socket.opened
  await socket.control({ thrust_level: 0.5 })
  const refused = socket.control({ thrust_level: 2 })
  const answer = await refused.catch(code)
  const { reference_body: body } = await own
  socket.close()
  return [answer, body].join(' ')
}

const code = (error: ClientError): string => error.code

export async function asking(url: string): Promise<string> {
  return createGameClient({ url }).status().then(() => 'answered', code)
}

export async function opening(url: string): Promise<string> {
  return connectSocket({ url, token: 'a.b.c' }).opened.then(() => 'opened', code)
}
`

const OPTIONS = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
  },
  files: ['program.ts'],
}

/** A first start makes a database and days of ephemeris on a busy machine. */
const STARTING_MS_MAX = 150_000

const run = promisify(execFile)
const pathOf = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

let project: string
let data: string
let printed: string
let service: ServiceProcess
let browser: OpenPage | undefined

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'orrery-project-'))
  data = await mkdtemp(join(tmpdir(), 'orrery-data-'))
  if (CHROMIUM_RUNS_HERE) browser = await openPage()
  service = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    variables: {
      DATA_DIR: data,
      PORT: '0',
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      ADMIN_USERNAME: 'Chief_1',
      ADMIN_PASSWORD: 'admin-pass-9d1f',
      ALLOWED_ORIGINS: browser?.origin,
      WORKERS: '1',
    },
  })
  printed = (await run(process.execPath, [pathOf('../pack-client.ts'), project])).stdout
  // Both from files: the project needs no registry.
  await npm('pack', '--ignore-scripts', pathOf('../../packages/client/node_modules/valibot'))
  const tarballs = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await npm('install', '--offline', '--no-audit', '--no-fund', ...tarballs)
  await writeFile(join(project, 'program.ts'), PROGRAM)
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(OPTIONS))
  await service.ready
}, STARTING_MS_MAX)

afterAll(async () => {
  await Promise.all([(service as ServiceProcess | undefined)?.stop(), browser?.close()])
  for (const directory of [project, data]) await rm(directory, { recursive: true })
})

async function npm(...args: readonly string[]): Promise<void> {
  await run('npm', [...args], { cwd: project, shell: process.platform === 'win32' })
}

/** Every major version of Node on the path, by its executable. */
async function nodes(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const directory of [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]) {
    const node = join(directory, 'node')
    const version = await run(node, ['--version']).then(
      ({ stdout }) => stdout,
      () => undefined,
    )
    const major = version?.match(/\d+/)?.[0]
    if (major !== undefined && !found.has(major)) found.set(major, node)
  }
  return found
}

test('a page loads at most 14 kB for it, and 60 kB to fly with it', () => {
  const [plain, page] = [...printed.matchAll(/^(\d+) bytes/gm)].map(([, bytes]) => Number(bytes))
  console.log(printed)
  expect(plain).toBeLessThan(14_000)
  expect(page).toBeLessThan(60_000)
})

test('a typed program compiles with ES2022 and plays under every Node', async () => {
  const compiler = pathOf('../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '--project', project])
  const url = await service.ready
  for (const [major, node] of await nodes()) {
    const script = `import { play } from './program.js'
      console.log(await play('${url}', 'Node_${major}'))`
    const options = major === '20' ? ['--experimental-websocket', '--no-warnings'] : []
    const args = [...options, '--input-type=module', '--eval', script]
    const { stdout } = await run(node, args, { cwd: project })
    expect(stdout, `Node ${major}`).toBe('E001 Earth\n')
  }
})

test.runIf(CHROMIUM_RUNS_HERE)('it plays in a browser, and names a refused origin', async () => {
  const { page, origin } = browser!
  await using bundle = await rolldown({
    input: join(project, 'program.js'),
    platform: 'browser',
    onLog: (_, log) => expect.fail(log.message),
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'program' })
  const url = await service.ready
  const evaluate = (call: string): Promise<string> =>
    page.evaluate<string>(`${output[0].code}; program.${call}`)
  expect(await evaluate(`play('${url}', 'Browser')`)).toBe('E001 Earth')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network')

  await page.goto(origin.replace('127.0.0.1', 'localhost'))
  expect(await evaluate(`asking('${url}')`)).toBe('origin_refused')
  expect(await evaluate(`opening('${url}')`)).toBe('origin_refused')
  expect(await evaluate("asking('http://127.0.0.1:1')")).toBe('network')
})

test('two constants of the core do not bring the rest of it', async () => {
  const entry = join(project, 'constants.js')
  const core = JSON.stringify(fileURLToPath(import.meta.resolve('@orrery/sim')))
  await writeFile(entry, `export { EVENT_KINDS, POINTINGS } from ${core}`)
  await using bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  expect(output[0].code.length).toBeLessThan(1000)
})
