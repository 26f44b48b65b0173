/** What looking back costs: the first sky of a day ago, and an hour on and back. */
import { migrate, openDatabase } from '@orrery/database'
import { createGameClock, systemClock, universeImage } from '@orrery/engine/testing'
import { createPastFlights } from '@orrery/gateway'
import { storeUniverse } from '@orrery/game'
import { CONTROL_QUANTA, PHYSICS, QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { eras, migrations, snapshots } from '@orrery/store'
import { progress } from '@orrery/testkit/progress'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Between two looks at a flight under way [ms]. */
const LOOK_MS = 10

const OPERATOR = { accountId: 'bench', shipId: undefined }

export async function past({ ships }: { readonly ships: number }): Promise<Row[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'orrery-bench-past-'))
  const directory = join(dataDirectory, 'game')
  const database = await openDatabase({ directory, schema: 'game' })
  try {
    progress.at(`a world of ${ships} ships, ${BACK_MS / HOUR_MS} hours ago`)
    await migrate(database, migrations)
    const nowMs = Date.now()
    const { sql } = database
    await store(sql, { ships, from: nowMs - BACK_MS - APART_MS, until: nowMs })
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

/** Stores a world, and a journal after it in which a ship is steered each minute. */
async function store(
  sql: Parameters<typeof snapshots>[0],
  { from, ships, until }: { readonly ships: number; readonly from: number; readonly until: number },
): Promise<void> {
  const universe = await populatedUniverse(ships, undefined, from)
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
