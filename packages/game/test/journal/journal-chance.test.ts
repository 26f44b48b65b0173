// Goal: whatever the database does and whenever commands come, none is lost, doubled, reordered or
// acknowledged before it is durable, and a recovery may fly to each batch's clock before it reads
// on. Method: seeded runs of two systems that tick, are steered and replaced, before a database
// that fails, commits without an answer, is slow and away; what it holds is replayed by index.
import type { KeptCommand } from '@orrery/engine/testing'
import { type JournalOutcome, type NewJournalBatch, Ownership } from '@orrery/store'
import {
  testSeed,
  type SimulatedClock,
  simulatedClock,
  type Chance,
  createChance,
} from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type JournalWriter, createJournalWriter } from '../../src/journal/journal-writer.ts'
import { momentOf } from './journal-fixture.ts'

/** Quanta of a tick, and what it takes. */
const TICK_QUANTA = 16
const TICK_MS = 5

const SYSTEMS = ['sol', 'alpha'] as const

type Sequences = Record<(typeof SYSTEMS)[number], number>

interface World {
  era: number
  /** last published, and target of the tick that runs */
  index: number
  settled: number
  sequences: Sequences
  paused: boolean
  isTicking: boolean
  isAtRest: boolean
}

interface Row {
  readonly era: number
  readonly systemId: keyof Sequences
  readonly sequence: number
  readonly index: number
  readonly isControl: boolean
  /** what was given and merged into it; nothing more once it is read */
  readonly given: number[]
  isOpen: boolean
  readonly kept: Promise<void>
}

/** What the database holds. */
interface Records {
  readonly batches: NewJournalBatch[]
  readonly given: Set<number>
  /** highest sequences and clock of each era */
  readonly clocks: Map<number, Pick<NewJournalBatch, 'sequences'> & { lattice: number }>
}

interface Run {
  readonly chance: Chance
  readonly clock: SimulatedClock
  readonly world: World
  readonly records: Records
  readonly writer: JournalWriter
  readonly rows: Row[]
  /** the target of each digest's tick */
  readonly digests: Map<string, number>
  readonly database: { isAway: boolean }
  /** what must come true, or the test fails */
  readonly promises: Promise<void>[]
  given: number
}

/** A database that commits or not, and answers or not; the same batch twice changes nothing. */
function database(
  { chance, clock, records }: Pick<Run, 'chance' | 'clock' | 'records'>,
  its: { readonly isAway: boolean },
): (batch: NewJournalBatch) => Promise<JournalOutcome> {
  let failed: NewJournalBatch | undefined
  return async (batch) => {
    if (failed) expect(batch, 'what failed is tried again as it was').toBe(failed)
    const commit = (): void => {
      const { clocks, given, batches } = records
      if (batches.at(-1) !== batch) batches.push(batch)
      clocks.set(batch.era, { lattice: batch.clock.lattice, sequences: batch.sequences })
      for (const { command } of batch.rows) {
        for (const each of Object(command).given) given.add(each)
      }
    }
    await new Promise<void>((done) => clock.after(delayMs(chance), done))
    const fate = its.isAway ? 'away' : chance.pick(['ok', 'ok', 'ok', 'ok', 'lost', 'silent'])
    if (fate === 'ok' || fate === 'silent') commit()
    failed = fate === 'ok' ? undefined : batch
    if (failed) throw new Error(fate)
    return { refused: new Map() }
  }
}

function delayMs(chance: Chance): number {
  if (chance.oneIn(60)) return 1000 + chance.below(5000)
  return chance.oneIn(3) ? chance.below(200) : chance.below(10)
}

function createRun(seed: number): Run {
  const chance = createChance(seed)
  const clock = simulatedClock(0)
  const world: World = {
    era: 1,
    index: 1024,
    settled: 1024,
    sequences: { sol: 0, alpha: 0 },
    paused: false,
    isTicking: false,
    isAtRest: false,
  }
  const records: Records = { batches: [], given: new Set(), clocks: new Map() }
  const its = { isAway: false }
  const writer = createJournalWriter({
    append: database({ chance, clock, records }, its),
    clock,
    moment: () => momentOf(world, { ...world.sequences }),
    era: () => world.era,
    owner: new Ownership([]),
    onAway: () => undefined,
    onBack: () => undefined,
    onFenced: () => expect.unreachable(),
    onSystemStopped: () => expect.unreachable(),
    onError: () => undefined,
  })
  const rest = { rows: [], digests: new Map(), promises: [], given: 0 }
  return { chance, clock, world, records, writer, database: its, ...rest }
}

/** Flies to a target, reports a digest on the way, and publishes. */
function tick({ chance, clock, world, writer, digests }: Run): void {
  if (world.paused || world.isAtRest || world.isTicking) return
  world.isTicking = true
  world.settled = world.index + TICK_QUANTA
  clock.after(chance.below(TICK_MS), () => {
    if (chance.oneIn(4)) {
      const digest = `${world.era}/${world.settled}`
      digests.set(digest, world.settled)
      writer.digest({ systemId: chance.pick(SYSTEMS), index: world.settled - 1, digest })
    }
    clock.after(chance.below(TICK_MS), () => {
      world.index = world.settled
      world.isTicking = false
    })
  })
}

/** Gives a command, if it is admitted; its answer must be true. */
function command(run: Run): void {
  const { chance, world, writer, rows, promises } = run
  try {
    writer.admit()
  } catch {
    return
  }
  const given = ++run.given
  const isControl = world.isTicking || chance.oneIn(2)
  const index = isControl ? 4 * (Math.floor(world.settled / 4) + 1 + chance.below(3)) : world.index
  const systemId = chance.pick(SYSTEMS)
  const merging = rows.findLast(
    (row) => row.era === world.era && row.systemId === systemId && row.isControl,
  )
  let row = merging
  if (isControl && merging?.isOpen && merging.index === index) merging.given.push(given)
  else row = keepRow(run, { systemId, isControl, index, given: [given] })
  promises.push(acknowledged(run, row?.kept, given))
}

function keepRow(
  { world, writer, rows }: Run,
  { systemId, isControl, index, given }: Pick<Row, 'systemId' | 'isControl' | 'index' | 'given'>,
): Row {
  const sequence = ++world.sequences[systemId]
  const kept = writer.keep({
    systemId,
    sequence,
    index,
    actor: null,
    seal: () => {
      expect(row.isOpen, `row ${systemId}/${sequence} is read once`).toBe(true)
      row.isOpen = false
      return { kind: isControl ? 'control' : 'other', given } as unknown as KeptCommand
    },
  })
  const row: Row = {
    era: world.era,
    systemId,
    sequence,
    index,
    isControl,
    given,
    isOpen: true,
    kept,
  }
  rows.push(row)
  return row
}

async function acknowledged(
  { records }: Run,
  kept: Promise<void> | undefined,
  given: number,
): Promise<void> {
  try {
    await kept
  } catch (error) {
    const { code, outcome } = Object(error)
    expect(code, `command ${given}`).toBe('ERR_JOURNAL_UNKNOWN')
    await outcome
  }
  expect(records.given.has(given), `command ${given} is acknowledged and durable`).toBe(true)
}

/** Checks up to where the journal claims to be durable, and whether it is. */
function question({ chance, world, writer, records, rows, promises }: Run): void {
  const { era } = world
  const clockOf = (): number => records.clocks.get(era)?.lattice ?? -Infinity
  const durableIndex = writer.durableIndex()
  expect(durableIndex, `durable index of era ${era}`).toBeLessThanOrEqual(clockOf())
  const open = rows.filter((row) => row.era === era && !records.given.has(row.given[0]))
  const earliest = open.reduce((least, { index: at }) => Math.min(least, at), Infinity)
  expect(durableIndex, `commands at ${earliest} are not durable`).toBeLessThan(earliest)
  const isRows = chance.oneIn(2)
  const upTo = (last: number): number => (isRows ? chance.below(last + 1) : last)
  const sequences = { sol: upTo(world.sequences.sol), alpha: upTo(world.sequences.alpha) }
  const index = isRows ? -Infinity : world.index
  const answer = writer.durable(isRows ? sequences : undefined).then(() => {
    const durable = records.clocks.get(era)?.sequences
    for (const id of SYSTEMS) {
      expect(durable?.[id] ?? 0, `commands to ${id}`).toBeGreaterThanOrEqual(sequences[id])
    }
    expect(clockOf(), `the clock ${index} is durable`).toBeGreaterThanOrEqual(index)
  })
  promises.push(answer)
}

/** Replaces the world between two ticks. */
async function replace({ chance, clock, world, writer, records }: Run): Promise<void> {
  world.isAtRest = true
  await new Promise<void>((done) => clock.after(2 * TICK_MS, done))
  await writer.atRest(async () => {
    const { length } = records.batches
    await new Promise<void>((done) => clock.after(chance.below(3000), done))
    expect(records.batches, 'nothing is written at rest').toHaveLength(length)
    const index = TICK_QUANTA * chance.below(1000)
    Object.assign(world, {
      era: world.era + 1,
      index,
      settled: index,
      sequences: { sol: 0, alpha: 0 },
    })
  })
  world.isAtRest = false
}

async function play(run: Run, seconds: number): Promise<void> {
  const { chance, clock, writer, database: its, promises } = run
  writer.start()
  const replacing = new Set<Promise<void>>()
  for (const endMs = clock.monotonicMs() + seconds * 1000; clock.monotonicMs() < endMs;) {
    await clock.advance(chance.below(30))
    if (chance.oneIn(8)) tick(run)
    const commands = chance.oneIn(1500) ? 2500 : chance.below(4)
    for (let i = 0; i < commands; i++) command(run)
    if (chance.oneIn(10)) question(run)
    if (chance.oneIn(its.isAway ? 500 : 1000)) its.isAway = !its.isAway
    if (!chance.oneIn(1000) || replacing.size > 0 || its.isAway) continue
    const replaced = replace(run).finally(() => replacing.delete(replaced))
    replacing.add(replaced)
    promises.push(replaced)
  }
  its.isAway = false
  while (replacing.size > 0) await clock.advance(100)
  await clock.advance(20_000)
  promises.push(writer.stop())
  await clock.advance(10_000)
}

/** Reads each system's journal as a recovery does: each row must be ahead of all flown before. */
function replay({ records, rows, digests, world }: Run): void {
  const flown = new Map<string, number>()
  const kept: string[] = []
  for (const { era, rows: batchRows, clock, digests: batchDigests } of records.batches) {
    const before = (systemId: string): number => flown.get(`${era}/${systemId}`) ?? -Infinity
    for (const { systemId, sequence, lattice, command: stored } of batchRows) {
      const name = `${era}/${systemId}/${sequence}`
      kept.push(`${name}/${Object(stored).given.join('+')}`)
      const isControl = Object(stored).kind === 'control'
      const earliest = before(systemId) + (isControl ? 1 : 0)
      expect(lattice, `row ${name}`).toBeGreaterThanOrEqual(earliest)
      if (!isControl) flown.set(`${era}/${systemId}`, lattice)
    }
    for (const systemId of SYSTEMS) {
      expect(clock.lattice, `clock of ${era}/${systemId}`).toBeGreaterThanOrEqual(before(systemId))
      flown.set(`${era}/${systemId}`, clock.lattice)
    }
    for (const { digest } of batchDigests) {
      const target = digests.get(digest)
      expect(clock.lattice, `clock with digest ${digest}`).toBeGreaterThanOrEqual(target ?? NaN)
      digests.delete(digest)
    }
  }
  const given = rows.map((row) =>
    [row.era, row.systemId, row.sequence, row.given.join('+')].join('/'),
  )
  expect(kept).toEqual(given)
  expect(digests.size, `digests that were not stored`).toBe(0)
  for (const systemId of SYSTEMS) expect(flown.get(`${world.era}/${systemId}`)).toBe(world.index)
}

async function flight(seed: number): Promise<Run> {
  const run = createRun(seed)
  await play(run, 40)
  await Promise.all(run.promises)
  replay(run)
  return run
}

const chosen = testSeed('journal under chance')

test.each(byTier({ gate: [0, 1], night: [0, 1, 2, 3] }))('a run by chance, %i', async (number) => {
  const { records, given } = await flight(chosen + number)
  expect(records.given.size).toBe(given)
})

test.each(byTier({ gate: [1, 2], night: [1, 2, 3, 4] }))(
  'seed %i, in which the database is seldom away',
  async (seed) => {
    const { rows } = await flight(seed)
    expect(rows.length).toBeGreaterThan(300)
  },
)
