// Goal: maneuver events reach the log in their order, whatever becomes of the database meanwhile,
// and none before the journal; what waits is bounded, and what is lost is counted. Method: records
// that fail on demand, on a simulated clock.
import type { ManeuverEvent } from '@orrery/engine/testing'
import type { NewManeuverEvent } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { simulatedClock } from '@orrery/testkit'
import {
  type ManeuverEventWriter,
  createManeuverEventWriter,
} from '../../src/world/maneuver-event-writer.ts'

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

/** An event of a ship that has had none, unless it is said whose. */
function event(index: number, shipId: string = randomUUID()): ManeuverEvent {
  return {
    systemId: 'sol',
    shipId,
    shipNumber: 3,
    index,
    ordinal: 3,
    tick: 9,
    maneuverType: 'attitude',
    eventType: 'started',
    phase: 'turning',
    fromPhase: null,
    distance: null,
    elementErrors: null,
    effectivity: null,
    statusText: null,
    referenceBody: 'Earth',
    targetId: null,
    targetBody: null,
    pointing: 'prograde',
    attitude: null,
    angularRate: null,
    since: index,
    details: null,
  }
}

interface Kept {
  readonly writer: ManeuverEventWriter
  readonly clock: ReturnType<typeof simulatedClock>
  readonly stored: NewManeuverEvent[]
  readonly batches: number[]
  /** how many had been written at each pruning, and what it was to keep */
  readonly prunings: [number, number][]
  readonly errors: unknown[]
  readonly database: { isAway: boolean }
  /** the era, and up to where the journal of each is durable */
  readonly journal: { era: number; durable: Record<number, number> }
}

function kept(): Kept {
  const stored: NewManeuverEvent[] = []
  const batches: number[] = []
  const prunings: [number, number][] = []
  const errors: unknown[] = []
  const database = { isAway: false }
  const journal = { era: 5, durable: { 5: Infinity } as Record<number, number> }
  const clock = simulatedClock(0)
  const writer = createManeuverEventWriter({
    records: {
      record: async (events) => {
        await Promise.resolve()
        if (database.isAway) throw new Error('away')
        batches.push(events.length)
        stored.push(...events)
      },
      prune: async (keep) => void prunings.push([stored.length, keep]),
    },
    era: () => journal.era,
    durableIndex: (era) => journal.durable[era] ?? -Infinity,
    clock,
    onError: (error) => errors.push(error),
  })
  return { writer, clock, stored, batches, prunings, errors, database, journal }
}

function indices(events: readonly NewManeuverEvent[]): number[] {
  return events.map(({ lattice }) => lattice)
}

function upTo(end: number, from = 0): number[] {
  return Array.from({ length: end - from }, (_, i) => from + i)
}

test('events of one tick are written together, in order, in batches of a thousand', async () => {
  const { writer, clock, stored, batches } = kept()
  for (const index of upTo(2500)) writer.add(event(index))
  await clock.advance(0)
  expect(batches).toEqual([1000, 1000, 500])
  expect(indices(stored)).toEqual(upTo(2500))
  expect(stored[0]).toMatchObject({
    era: 5,
    ordinal: 3,
    effectivity: null,
    elementErrors: null,
    extra: { reference_body: 'Earth', target_id: null, pointing: 'prograde', attitude: null },
  })
})

test('an event is stored with its place in the game and what is particular to it', async () => {
  const { writer, clock, stored } = kept()
  // 2000-01-01T12:00:00 TDB is 64.184 s less in UTC.
  const turned = { ...event(6400), attitude: [0.1, 0.2, 0.3, 0.4] as const, pointing: null }
  writer.add({ ...turned, details: { angle: 1, rate: 2, wheelMomentum: [3, 4, 5] } })
  writer.add({ ...turned, eventType: 'completed', fromPhase: 'turning', since: 6080, distance: 7 })
  await clock.advance(0)
  const { shipId } = turned
  const common = {
    era: 5,
    lattice: 6400,
    systemId: 'sol',
    shipNumber: 3,
    ordinal: 3,
    shipId,
    tick: 9,
    maneuverType: 'attitude',
    phase: 'turning',
    statusText: null,
    elementErrors: null,
    effectivity: null,
    gameTime: new Date('2000-01-01T12:00:35.816Z'),
  }
  const extra = {
    reference_body: 'Earth',
    target_id: null,
    pointing: null,
    attitude: { w: 0.1, x: 0.2, y: 0.3, z: 0.4 },
  }
  expect(stored).toEqual([
    {
      ...common,
      eventType: 'started',
      fromPhase: null,
      distance: null,
      extra: { ...extra, angle: 1, rate: 2, wheel_momentum: { x: 3, y: 4, z: 5 } },
    },
    {
      ...common,
      eventType: 'completed',
      fromPhase: 'turning',
      distance: 7,
      extra: { ...extra, seconds: 5 },
    },
  ])
})

test('while the database is away events wait in order; the error is reported once', async () => {
  const { writer, clock, stored, errors, database } = kept()
  database.isAway = true
  for (const index of upTo(10)) writer.add(event(index))
  await clock.advance(5000)
  for (const index of upTo(20, 10)) writer.add(event(index))
  await clock.advance(5000)
  expect(stored).toEqual([])
  expect(errors).toEqual([new Error('away')])
  database.isAway = false
  await clock.advance(1000)
  expect(indices(stored)).toEqual(upTo(20))
  database.isAway = true
  writer.add(event(20))
  await clock.advance(0)
  expect(errors).toHaveLength(2)
  expect(writer.dropped()).toBe(0)
})

test('ten thousand may wait; more are dropped and counted', async () => {
  const { writer, clock, stored, database } = kept()
  database.isAway = true
  for (const index of upTo(10_003)) writer.add(event(index))
  expect(writer.dropped()).toBe(3)
  database.isAway = false
  await clock.advance(2000)
  expect(indices(stored)).toEqual(upTo(10_000))
})

test('a stop writes what waits, or counts it as lost when it cannot', async () => {
  const well = kept()
  for (const index of upTo(1500)) well.writer.add(event(index))
  await well.writer.stop()
  expect(indices(well.stored)).toEqual(upTo(1500))
  const ill = kept()
  ill.database.isAway = true
  for (const index of upTo(7)) ill.writer.add(event(index))
  await ill.clock.advance(300)
  await ill.writer.stop()
  expect(ill.writer.dropped()).toBe(7)
  await kept().writer.stop()
})

test('an event is written when the journal has passed it, and none behind before', async () => {
  const { writer, clock, stored, journal } = kept()
  journal.durable[5] = 100
  for (const index of [99, 100, 101, 90, 102]) writer.add(event(index))
  await clock.advance(5000)
  expect(indices(stored)).toEqual([99, 100])
  expect(writer.waiting()).toBe(3)
  journal.durable[5] = 101
  await clock.advance(250)
  expect(indices(stored)).toEqual([99, 100, 101, 90])
  journal.durable[5] = 164
  await clock.advance(250)
  expect(indices(stored)).toEqual([99, 100, 101, 90, 102])
  expect(writer.dropped()).toBe(0)
})

test('what the journal of an era that is over has not passed is lost and counted', async () => {
  const { writer, clock, stored, journal } = kept()
  journal.durable[5] = 100
  for (const index of [100, 101, 102]) writer.add(event(index))
  await clock.advance(0)
  Object.assign(journal, { era: 6, durable: { 5: 100, 6: 40 } })
  writer.add(event(40))
  writer.add(event(41))
  await clock.advance(250)
  expect(indices(stored)).toEqual([100, 40])
  expect(stored.map(({ era }) => era)).toEqual([5, 6])
  expect([writer.dropped(), writer.waiting()]).toEqual([2, 1])
})

test('all that waits is written once the journal has passed it, whatever comes later', async () => {
  const { writer, clock, stored, journal } = kept()
  await writer.written()
  journal.durable[5] = 1
  writer.add(event(2))
  const written = writer.written().then(() => indices(stored))
  await clock.advance(1000)
  expect(stored).toEqual([])
  writer.add(event(3))
  journal.durable[5] = 2
  await clock.advance(250)
  expect(await written).toEqual([2])
})

test('a stop waits for no journal', async () => {
  const { writer, clock, stored, journal } = kept()
  journal.durable[5] = 1
  for (const index of [1, 2, 3]) writer.add(event(index))
  await clock.advance(0)
  await writer.stop()
  expect(indices(stored)).toEqual([1])
  expect(writer.dropped()).toBe(2)
})

test('discard does not wait for the journal to pass what comes meanwhile', async () => {
  const { writer, clock, stored, journal } = kept()
  journal.durable[5] = 1
  writer.add(event(2))
  await clock.advance(100)
  const discarded = writer.discard()
  writer.add(event(3))
  await discarded
  expect(stored).toEqual([])
  journal.durable[5] = 3
  await clock.advance(250)
  expect(indices(stored)).toEqual([3])
})

test('what is discarded is not written, and what comes after it is', async () => {
  const { writer, clock, stored } = kept()
  for (const index of upTo(10_003)) writer.add(event(index))
  await writer.discard()
  writer.add(event(9000))
  await clock.advance(0)
  expect(indices(stored)).toEqual([9000])
  expect(writer.dropped(), 'counted since the start').toBe(3)
})

test('what a replay brings again costs a ship nothing of what it has', async () => {
  const { writer, clock, stored } = kept()
  for (const index of upTo(100)) writer.add(event(index, SHIP), 'replay')
  for (const index of upTo(160, 100)) writer.add(event(index, SHIP))
  await clock.advance(0)
  expect(indices(stored)).toEqual(upTo(160))
  expect(writer.dropped()).toBe(0)
})

test('a ship has sixty events at once and two a second; more are dropped and counted', async () => {
  const { writer, clock, stored } = kept()
  for (const index of upTo(100)) writer.add(event(index, SHIP))
  writer.add(event(100))
  await clock.advance(0)
  expect(indices(stored)).toEqual([...upTo(60), 100])
  expect(writer.dropped()).toBe(40)
  await clock.advance(1500)
  for (const index of upTo(210, 200)) writer.add(event(index, SHIP))
  await clock.advance(0)
  expect(indices(stored).slice(61)).toEqual([200, 201, 202])
  await clock.advance(3_600_000)
  for (const index of upTo(400, 300)) writer.add(event(index, SHIP))
  await clock.advance(0)
  expect(indices(stored).slice(64)).toEqual(upTo(360, 300))
})

test('the newest hundred thousand are kept: at first and each ten thousand later', async () => {
  const { writer, clock, prunings } = kept()
  for (let from = 0; from < 25_000; from += 5000) {
    for (const index of upTo(from + 5000, from)) writer.add(event(index))
    await clock.advance(0)
  }
  const keep = 100_000
  expect(prunings).toEqual([1000, 11_000, 21_000].map((written) => [written, keep]))
})
