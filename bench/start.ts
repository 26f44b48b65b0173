/** How soon the services work, with a new directory and with a used one; their memory at rest. */
import { createGameClient } from '@orrery/client'
import { type ServiceProcess, processMemory, processesIn, startService } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

interface Service {
  readonly name: string
  readonly main: string
  readonly environment: Readonly<Record<string, string>>
  /** Resolves when it does what it is for. */
  works(this: void, url: string): Promise<unknown>
  readonly bounds: { readonly first: number; readonly later: number; readonly memory: number }
}

interface Start {
  readonly first: number
  readonly later: number
  readonly memory: number
}

const REST_MS = 10_000
const ROUNDS = 3

const SERVICES: readonly Service[] = [
  {
    name: 'game server',
    main: '@orrery/gateway/main',
    environment: {
      PORT: '0',
      JWT_SECRET_KEY: 'a key for a bench that listens on 127.0.0.1',
      ADMIN_USERNAME: 'bench_admin',
      ADMIN_PASSWORD: 'a password for a bench',
    },
    works: async (url) => {
      const game = createGameClient({ url })
      const { tick } = await game.status()
      while ((await game.status()).tick === tick) await sleep(5)
    },
    bounds: { first: 3500, later: 2000, memory: 220 },
  },
  {
    name: 'design sessions',
    main: '@orrery/design-sessions/main',
    environment: { DESIGN_SESSIONS_PORT: '0' },
    works: async (url) => {
      while (!(await fetch(new URL('health/ready', url))).ok) await sleep(5)
    },
    bounds: { first: 4000, later: 2000, memory: 250 },
  },
]

/** Starts both services three times over. */
export async function start(): Promise<Row[]> {
  const rows: Row[] = []
  for (const service of SERVICES) {
    const starts: Start[] = []
    for (let round = 0; round < ROUNDS; round++) {
      progress.at(service.name, round, ROUNDS)
      starts.push(await measured(service))
    }
    rows.push(...rowsOf(service.name, summary(service, starts)))
  }
  return rows
}

function summary({ bounds }: Service, starts: readonly Start[]): Metric[] {
  const median = (value: (start: Start) => number): number => percentile(starts.map(value), 0.5)
  return [
    ['first start until it works', median(({ first }) => first), 'ms', { max: bounds.first }],
    ['later start until it works', median(({ later }) => later), 'ms', { max: bounds.later }],
    ['memory at rest (PSS)', median(({ memory }) => memory), 'MB', { max: bounds.memory }],
  ]
}

async function measured(service: Service): Promise<Start> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'))
  try {
    const first = await started(service, directory)
    await first.process.stop()
    const later = await started(service, directory)
    await sleep(REST_MS)
    // The database server's processes work in their data directory.
    const pids = [Number(later.process.pid), ...processesIn(directory)]
    const memory = processMemory(pids).total / 2 ** 20
    await later.process.stop()
    return { first: first.ms, later: later.ms, memory }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function started(
  { main, environment, works }: Service,
  directory: string,
): Promise<{ readonly process: ServiceProcess; readonly ms: number }> {
  const startMs = performance.now()
  const variables = { LOG_LEVEL: 'error', DATA_DIR: directory, ...environment }
  const process = startService({ main: import.meta.resolve(main), variables })
  await works(`${await process.ready}/`)
  return { process, ms: performance.now() - startMs }
}
