// Goal: alerts, dashboard, metrics and health check fit the server. Method: they are used with a
// real one, by promtool where the machine has it.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEPT } from '@orrery/testkit/kept-server'
import { sharedServer } from '../used-server.ts'

const DEPLOY = new URL('../../deploy/', import.meta.url)

const server = sharedServer()

function read(name: string): string {
  return readFileSync(new URL(name, DEPLOY), 'utf8')
}

async function scrape(): Promise<string> {
  const headers = { authorization: `Bearer ${KEPT.METRICS_TOKEN}` }
  return (await fetch(`${server.url}/metrics`, { headers })).text()
}

test.each(['alerts.yml', 'dashboard.json'])(
  'a real server serves every metric that %s names',
  async (file) => {
    const named = new Set(
      [...read(file).matchAll(/\b(?:orrery|process)_[a-z_]+/g)].map(([name]) =>
        name.replace(/_bucket$/, ''),
      ),
    )
    const served = new Set(
      [...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
    )

    expect(named.size).toBeGreaterThan(0)
    expect([...named].filter((name) => !served.has(name))).toEqual([])
  },
)

const { error: promtoolIsAway } = spawnSync('promtool', ['--version'])

test.skipIf(promtoolIsAway)('promtool accepts the metrics of a real server', async () => {
  const input = await scrape()
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input })
  expect([status, String(stderr)]).toEqual([0, ''])
})

test('the health check of the images passes only while the server is ready', async () => {
  const [, program = ''] = /"(process\.exit\(.*3000.*)"\]/.exec(read('Containerfile')) ?? []
  const check = (port: number): Promise<number | null> => {
    const code = program.replace('3000', String(port))
    const child = spawn(process.execPath, ['--eval', code], { stdio: 'ignore' })
    return new Promise((resolve) => child.once('close', resolve))
  }
  expect(await check(server.port)).toBe(0)
  expect(await check(1)).not.toBe(0)
})
