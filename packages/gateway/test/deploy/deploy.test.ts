// Goal: the files to deploy the server name only what it has, and their tools accept them. Method:
// metrics and variables of the real server; promtool, Caddy and systemd where the machine has them.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { environmentHelp } from '../../src/config.ts'
import { usedServer } from '../used-server.ts'

const TOKEN = 'deploy-metrics-token-5e1c'
const DEPLOY = new URL('../../deploy/', import.meta.url)

const server = usedServer({ METRICS_TOKEN: TOKEN })

function read(name: string): string {
  return readFileSync(new URL(name, DEPLOY), 'utf8')
}

test.each(['alerts.yml', 'dashboard.json'])(
  'a real server serves every metric that %s names',
  async (file) => {
    const named = new Set(
      [...read(file).matchAll(/\b(?:orrery|process)_[a-z_]+/g)].map(([name]) =>
        name.replace(/_bucket$/, ''),
      ),
    )
    const headers = { authorization: `Bearer ${TOKEN}` }
    const text = await (await fetch(`${server.url}/metrics`, { headers })).text()
    const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))

    expect(named.size).toBeGreaterThan(0)
    expect([...named].filter((name) => !served.has(name))).toEqual([])
  },
)

test('the dashboard is JSON with a title', () => {
  expect(JSON.parse(read('dashboard.json'))).toHaveProperty('title', 'Orrery')
})

/** Words of systemd. */
const FOREIGN = new Set(['AF_UNIX', 'AF_INET'])

test.each(readdirSync(DEPLOY))('%s names only environment variables of the server', (file) => {
  const known = new Set(environmentHelp().match(/\b[A-Z]+(?:_[A-Z]+)+\b/g))
  const named = read(file).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []
  expect(named.filter((name) => !known.has(name) && !FOREIGN.has(name))).toEqual([])
})

describe.each([
  ['promtool', ['check', 'rules'], 'alerts.yml'],
  ['promtool', ['check', 'config', '--syntax-only'], 'prometheus.yml'],
  ['caddy', ['validate', '--adapter', 'caddyfile', '--config'], 'Caddyfile'],
] as const)('%s', (tool, args, file) => {
  test.runIf(isHere(tool))(`accepts ${file}`, () => {
    const path = fileURLToPath(new URL(file, DEPLOY))
    expect(() => execFileSync(tool, [...args, path], { stdio: 'pipe' })).not.toThrow()
  })
})

function isHere(tool: string): boolean {
  try {
    execFileSync(tool, [tool === 'caddy' ? 'version' : '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
