/** How fast the real server answers GET /api/status while it ticks at 10 Hz. */
import autocannon from 'autocannon'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Row } from './report.ts'

const CONNECTIONS = 4
const SETTLE_MS = 15_000
const PASSWORD = randomBytes(12).toString('hex')

export async function status(seconds: number): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  const server = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@orrery/gateway/main'))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: directory,
        JWT_SECRET_KEY: randomBytes(32).toString('hex'),
        ADMIN_USERNAME: 'bench_admin',
        ADMIN_PASSWORD: PASSWORD,
      },
    },
  )
  try {
    const url = await addressOf(server)
    await setTickRate(url, 10)
    // The ephemeris is still being made on to its horizon in the first seconds.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const { requests, latency, errors, non2xx } = await autocannon({
      url: new URL('/api/status', url).href,
      connections: CONNECTIONS,
      duration: seconds,
    })
    const row = (metric: string, value: number, unit: string): Row => ({
      case: `GET /api/status, ${CONNECTIONS} connections`,
      metric,
      value,
      unit,
    })
    return [
      row('requests_per_second', requests.average, '1/s'),
      row('latency_median', latency.p50, 'ms'),
      row('latency_p99', latency.p99, 'ms'),
      row('failures', errors + non2xx, ''),
    ]
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
    await rm(directory, { recursive: true })
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The server has no output.')
  for await (const line of createInterface(stdout)) {
    const address = /listens on (\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The server did not start.')
}

async function setTickRate(url: string, hz: number): Promise<void> {
  const send = (path: string, method: string, body: object, token = ''): Promise<Response> =>
    fetch(new URL(path, url), {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const login = await send('/api/admin/auth/login', 'POST', {
    username: 'bench_admin',
    password: PASSWORD,
  })
  const { token } = (await login.json()) as { token: string }
  const answer = await send('/api/admin/game/tick-rate', 'PUT', { tick_rate: hz }, token)
  if (!answer.ok) throw new Error(`The tick rate was refused with ${answer.status}.`)
}
