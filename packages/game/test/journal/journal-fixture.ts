// A journal writer with a scripted world and database, on a simulated clock.
import type { CommandRow, KeptCommand } from '@orrery/engine/testing'
import { type JournalOutcome, type NewJournalBatch, Ownership } from '@orrery/store'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import type { Moment } from '../../src/journal/backlog.ts'
import { type JournalWriter, createJournalWriter } from '../../src/journal/journal-writer.ts'

export interface JournalFixture {
  readonly clock: SimulatedClock
  readonly writer: JournalWriter
  readonly world: { era: number; index: number; sequence: number; paused: boolean }
  /** what the database does with a batch */
  readonly database: {
    ms: number
    error: unknown
    refused: JournalOutcome['refused']
    hangs: boolean
  }
  /** attempts, and when they began [ms] */
  readonly attempts: [number, NewJournalBatch][]
  readonly durable: NewJournalBatch[]
  /** sequences in the order in which their commands were read */
  readonly sealed: number[]
  /** notices of the writer, and when they came [ms] */
  readonly notices: [number, string][]
  /** the next command, at the world's index */
  readonly give: (more?: Partial<CommandRow>) => Promise<void>
}

/** A fixture whose first clock is durable. */
export async function openFixture(): Promise<JournalFixture> {
  const fixture = journalFixture()
  fixture.writer.start()
  await fixture.clock.advance(10)
  fixture.attempts.length = 0
  fixture.durable.length = 0
  return fixture
}

export function journalFixture(): JournalFixture {
  const clock = simulatedClock(0)
  const world: JournalFixture['world'] = { era: 5, index: 1000, sequence: 0, paused: false }
  const database: JournalFixture['database'] = {
    ms: 5,
    error: undefined,
    refused: new Map(),
    hangs: false,
  }
  const attempts: [number, NewJournalBatch][] = []
  const durable: NewJournalBatch[] = []
  const sealed: number[] = []
  const notices: [number, string][] = []
  const notify = (what: string): void => void notices.push([clock.monotonicMs(), what])
  const append = async (batch: NewJournalBatch): Promise<JournalOutcome> => {
    attempts.push([clock.monotonicMs(), batch])
    if (database.hangs) await new Promise(() => undefined)
    if (database.ms > 0) await new Promise<void>((done) => clock.after(database.ms, done))
    if (database.error !== undefined) throw database.error
    durable.push(batch)
    return { refused: database.refused }
  }
  const writer = createJournalWriter({
    append,
    clock,
    moment: () => momentOf(world, { sol: world.sequence }),
    era: () => world.era,
    owner: new Ownership([]),
    onAway: (sinceMs) => notify(`away since ${sinceMs}`),
    onBack: () => notify('back'),
    onFenced: () => notify('fenced'),
    onSystemStopped: (systemId, { code }) => notify(`${systemId} stopped ${code}`),
    onError: (error) => notify(String(error)),
  })
  const give: JournalFixture['give'] = (more) => {
    const sequence = ++world.sequence
    const seal = (): KeptCommand => {
      sealed.push(sequence)
      return { kind: 'remove_ship', shipId: `${sequence}` }
    }
    return writer.keep({
      systemId: 'sol',
      sequence,
      index: world.index,
      actor: null,
      seal,
      ...more,
    })
  }
  return { clock, writer, world, database, attempts, durable, sealed, notices, give }
}

export function momentOf(
  { index, paused }: Pick<Moment, 'index' | 'paused'>,
  sequences: Moment['sequences'],
): Moment {
  return {
    index,
    sequences,
    paused,
    tick: Math.floor(index / 64),
    remainder: ['0', '1'],
    tickRate: 1,
    timeScale: 1,
  }
}

/** 1 to `end`, or those after `from`. */
export function upTo(end: number, from = 0): number[] {
  return Array.from({ length: end - from }, (_, i) => from + i + 1)
}

/** Sequences of batches. */
export function sequences(batches: readonly NewJournalBatch[]): number[][] {
  return batches.map(({ rows }) => rows.map(({ sequence }) => sequence))
}

/** What a promise has come to: nothing yet, or the error's code if it has one. */
export async function state(promise: Promise<unknown>): Promise<unknown> {
  const pending = Symbol('pending')
  try {
    const first = await Promise.race([promise, Promise.resolve(pending)])
    return first === pending ? 'pending' : 'done'
  } catch (error) {
    return Object(error).code ?? error
  }
}
