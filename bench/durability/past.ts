/** What looking back costs: the first sky of a day ago, an hour on and back, ticks of the game. */
import { migrate, openDatabase } from '@orrery/database'
import { createGameClock, systemClock, universeImage } from '@orrery/engine/testing'
import { connectSocket, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { createPastFlights } from '@orrery/gateway'
import { storeUniverse } from '@orrery/game'
import { CONTROL_QUANTA, PHYSICS, QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { eras, migrations, snapshots } from '@orrery/store'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN, type LoadServer, startLoadServer } from '../load/server.ts'
import { tickMsP99 } from '../load/window.ts'
import { populatedUniverse } from '../populated-universe.ts'

const HOUR_MS = 3_600_000

/** Of game time: looked back, and stored before that at most, as snapshots are kept. */
const BACK_MS = 24 * HOUR_MS
const APART_MS = 6 * HOUR_MS

/** Of journalled commands. */
const COMMAND_SECONDS = 60

/** Goals. */
const FIRST_MS = 10_000
const HOUR_ON_MS = 3_000
const BESIDE_MAX = 1.05

/** Of the running game, in turns alone and beside flights. */
const RATE_HZ = 10
const WINDOWS = 6
const WINDOW_MS = 10_000
/** After the end of a flight. */
const SETTLE_MS = 2000

/** Between two looks at a flight under way [ms]. */
const LOOK_MS = 10
/** The same by the page. */
const PAGE_LOOK_MS = 300

const OPERATOR = { accountId: 'bench', shipId: undefined }

export async function past(options: { readonly ships: number }): Promise<Row[]> {
  return [...(await flownAlone(options)), ...(await besideRunning(options))]
}

async function flownAlone({ ships }: { readonly ships: number }): Promise<Row[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'orrery-bench-past-'))
  const directory = join(dataDirectory, 'game')
  const database = await openDatabase({ directory, schema: 'game' })
  try {
    progress.at(`a world of ${ships} ships, ${BACK_MS / HOUR_MS} hours ago`)
    const nowMs = Date.now()
    await store(database, ships, nowMs)
    const { sql } = database
    const flights = createPastFlights({
      sql,
      config: {
        dataDirectory,
        databaseUrl: undefined,
        shipsMax: 2 * ships,
        moduleFiles: [],
        pastFlightsMax: 1,
        pastFlightBytesMax: 1e9,
      },
      clock: systemClock,
    })
    const at = nowMs - BACK_MS
    const startMs = performance.now()
    const { past_id: id } = await flights.open({ systemId: 'sol', at }, OPERATOR)
    while (flights.state(id, OPERATOR).state === 'flying') await sleep(LOOK_MS)
    const timed = async (ms: number): Promise<number> => {
      const beginMs = performance.now()
      const sky = await flights.sky(id, ms, OPERATOR)
      bytes = sky.length
      return performance.now() - beginMs
    }
    let bytes = 0
    await timed(at)
    const firstMs = performance.now() - startMs
    const onMs = await timed(at + HOUR_MS)
    const backMs = await timed(at)
    flights.stop()
    return rowsOf(`${ships} ships`, [
      ['first sky, 24 h ago', firstMs, 'ms', { max: FIRST_MS }],
      ['an hour on', onMs, 'ms', { max: HOUR_ON_MS }],
      ['an hour back', backMs, 'ms', { max: HOUR_ON_MS }],
      ['size of a sky', bytes / 1000, 'kB'],
    ])
  } finally {
    await database.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** How much longer ticks of a server take while it looks back. */
async function besideRunning({ ships }: { readonly ships: number }): Promise<Row[]> {
  const nowMs = Date.now()
  const prepare = async (dataDirectory: string): Promise<void> => {
    const directory = join(dataDirectory, 'game')
    const database = await openDatabase({ directory, schema: 'game' })
    await store(database, ships, nowMs)
    await database.close()
  }
  const server = await startLoadServer({ pilots: ships, rateHz: RATE_HZ, prepare })
  try {
    const [alone, beside] = [newTicks(), newTicks()]
    const [{ token }] = server.pilots
    const socket = connectSocket({ url: server.url, token, view: { ids: [] } })
    let gaps = alone.gaps
    let lastMs = NaN
    socket.on('tick', () => {
      const nowMs = performance.now()
      // None is known of the first tick of a window.
      if (!Number.isNaN(lastMs)) gaps.push(nowMs - lastMs)
      lastMs = nowMs
    })
    await socket.opened
    for (let i = 0; i < WINDOWS; i++) {
      progress.at('ticks beside a flight', i, WINDOWS)
      await sleep(SETTLE_MS)
      lastMs = NaN
      gaps = alone.gaps
      alone.ms.push(await tickMs(server, () => sleep(WINDOW_MS)))
      gaps = beside.gaps
      beside.ms.push(await tickMs(server, () => lookBack(server, nowMs - BACK_MS)))
    }
    socket.close()
    const [quiet, busy] = [alone, beside].map((one) => percentile(one.gaps, 0.99))
    return rowsOf(`${ships} ships that fly`, [
      ['tick_p99_alone', percentile(alone.ms, 0.5), 'ms'],
      ['tick_p99_beside_a_flight', percentile(beside.ms, 0.5), 'ms'],
      ['gap_p99_alone', quiet, 'ms'],
      ['gap_p99_beside_a_flight', busy, 'ms'],
      ['gap_p99_beside', busy / quiet, '×', { max: BESIDE_MAX }],
    ])
  } finally {
    await server.stop()
  }
}

/** Of windows of a server. */
interface Ticks {
  /** 99th percentile of their work in each, between bounds of counts [ms] */
  readonly ms: number[]
  /** between two of them at a client [ms] */
  readonly gaps: number[]
}

function newTicks(): Ticks {
  return { ms: [], gaps: [] }
}

async function tickMs(server: LoadServer, during: () => Promise<unknown>): Promise<number> {
  const before = await server.scrape()
  await during()
  return tickMsP99({ before, after: await server.scrape() })
}

/** Flies for a window, an hour after the other. */
async function lookBack({ admin, url }: LoadServer, fromMs: number): Promise<void> {
  const login = await createGameClient({ url }).adminLogin(ADMIN.username, ADMIN.password)
  const headers = { authorization: `Bearer ${login.token}` }
  const endMs = performance.now() + WINDOW_MS
  const at = (hours: number): string => new Date(fromMs + hours * HOUR_MS).toISOString()
  const { past_id: id } = await admin.call(api.openPast, { system_id: 'sol', at: at(0) })
  for (let hours = 0; performance.now() < endMs;) {
    const { state } = await admin.call(api.readPast, { past_id: id })
    if (state === 'flying') await sleep(PAGE_LOOK_MS)
    else {
      // Not read: this process notes the ticks meanwhile.
      const sky = `/api/admin/past/${id}/sky?at=${at(++hours % (BACK_MS / HOUR_MS))}`
      const answer = await fetch(new URL(sky, url), { headers })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
  }
  await admin.call(api.endPast, { past_id: id })
}

/** Stores a world, and a journal after it in which a ship is steered each minute. */
async function store(
  database: Awaited<ReturnType<typeof openDatabase>>,
  ships: number,
  until: number,
): Promise<void> {
  await migrate(database, migrations)
  const { sql } = database
  const from = until - BACK_MS - APART_MS
  const universe = await populatedUniverse(ships, () => randomUUID(), from)
  const [world] = universe.worlds
  const image = universeImage(universe, createGameClock(world.index), 0)
  const snapshotId = await storeUniverse(snapshots(sql), image, { era: 1, kind: 'automatic' })
  await eras(sql).open({ era: 1, reason: 'new', snapshotId, physics: PHYSICS })
  const numbers = Array.from(world.roster.byNumber.keys())
  const count = Math.floor((until - from) / 1000 / COMMAND_SECONDS)
  const first = world.intake.sequence
  const key = { era: 1, system: world.state.system.id }
  const rows = Array.from({ length: count }, (_, i) => {
    const at = world.index + (i + 1) * COMMAND_SECONDS * QUANTA_PER_SECOND
    const control = { thrustLevel: (i % 10) / 1000, pointing: 'prograde' }
    return {
      ...key,
      sequence: first + 1 + i,
      lattice: CONTROL_QUANTA * Math.ceil(at / CONTROL_QUANTA),
      command: { kind: 'control', ship: numbers[i % numbers.length], control },
    }
  })
  const time = { remainder: '0', denominator: '1', tick: 0, tick_rate: 1, time_scale: 1 }
  const clocks = rows.map(({ lattice, sequence }) => ({ ...key, ...time, lattice, sequence }))
  clocks.push({ ...clocks[count - 1], lattice: latticeFromUtc(until) })
  clocks.splice(count - 1, 1)
  await sql`
    insert into journal (era, system, sequence, lattice, command)
    select era, system, sequence, lattice, command
    from jsonb_to_recordset(${sql.json(rows)})
      as given (era int, system text, sequence bigint, lattice bigint, command jsonb)`
  await sql`
    insert into clock (era, system, sequence, lattice, remainder, denominator, tick, tick_rate,
      time_scale, paused, refused)
    select era, system, sequence, lattice, remainder, denominator, tick, tick_rate, time_scale,
      false, '{}'
    from jsonb_to_recordset(${sql.json(clocks)})
      as given (era int, system text, sequence bigint, lattice bigint, remainder text,
        denominator text, tick bigint, tick_rate float8, time_scale float8)`
}
