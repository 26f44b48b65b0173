import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
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

test.each(readdirSync(DEPLOY))('%s names only environment variables of the server', (file) => {
  const known = environmentHelp()
  const named = [...read(file).matchAll(/\b([A-Z]+(?:_[A-Z]+)+)=/g)].map(([, name]) => name)

  expect(named.filter((name) => name === undefined || !known.includes(name))).toEqual([])
})
