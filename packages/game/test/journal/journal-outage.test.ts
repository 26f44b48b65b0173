// Goal: whatever the database does, what was acted on is written in the end, and every command gets
// a true answer in time. Method: a writer on a simulated clock, before a database that fails or
// hangs.
import { setImmediate } from 'node:timers/promises'
import { StoreError } from '@orrery/store'
import { expect, test } from 'vitest'
import { createAppending } from '../../src/journal/appending.ts'
import { journalFixture, openFixture, sequences, state, upTo } from './journal-fixture.ts'

test('a batch that fails is tried again as it was, ever later, up to a second', async () => {
  const { clock, database, attempts, durable, notices, give } = await openFixture()
  database.error = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  database.ms = 0
  void give()
  await clock.advance(0)
  void give()
  await clock.advance(6000)
  const rests = attempts.slice(1).map(([ms], i) => ms - attempts[i][0])
  expect(rests).toEqual([100, 200, 400, 800, 1000, 1000, 1000, 1000])
  expect(attempts.every(([, batch]) => batch === attempts[0][1])).toBe(true)
  database.error = undefined
  await clock.advance(1000)
  expect(sequences(durable)).toEqual([[1], [2]])
  const errors = notices.filter(([, what]) => what.startsWith('Error'))
  expect(errors, 'reported once, not at each attempt').toEqual([[10, 'Error: away']])
})

test('another error of the same batch is reported, too', async () => {
  const { clock, database, notices, give } = await openFixture()
  database.error = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  void give()
  await clock.advance(300)
  database.error = Object.assign(new Error('read-only'), { code: '25006' })
  await clock.advance(1500)
  expect(notices.map(([, what]) => what)).toEqual(['Error: away', 'Error: read-only'])
})

test('an acknowledgement waits two seconds; then the outcome is unknown, and comes', async () => {
  const { clock, database, durable, give } = await openFixture()
  database.error = new Error('away')
  const answer = give()
  await clock.advance(1999)
  expect(await state(answer)).toBe('pending')
  await clock.advance(1)
  expect(await state(answer)).toBe('ERR_JOURNAL_UNKNOWN')
  const { outcome } = await answer.then(Object, Object)
  expect(await state(outcome)).toBe('pending')
  database.error = undefined
  await clock.advance(1000)
  expect(await state(outcome)).toBe('done')
  expect(sequences(durable)).toEqual([[1]])
})

test.each(['fails', 'hangs'])('a database that %s for 2 s refuses commands', async (how) => {
  const { clock, writer, database, notices, give } = await openFixture()
  database.error = new Error('away')
  database.hangs = how === 'hangs'
  void give()
  await clock.advance(1999)
  writer.admit()
  await clock.advance(1)
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_AWAY' }))
  await clock.advance(8000)
  expect(notices.filter(([, what]) => !what.startsWith('Error'))).toEqual([[2010, 'away since 10']])
  expect(writer.metrics().lagSeconds).toBe(10)
})

test('a clock that cannot be written is an outage as well', async () => {
  const { clock, world, writer, database, notices } = await openFixture()
  database.error = new Error('away')
  world.index = 1064
  await clock.advance(1000)
  const outage = notices.length
  await clock.advance(2000)
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_AWAY' }))
  expect(notices.slice(outage)).toEqual([[3000, 'away since 1000']])
})

test('an outage is as old as the oldest command that waits', async () => {
  const { clock, database, notices, give } = await openFixture()
  database.ms = 500
  void give()
  await clock.advance(100)
  void give()
  await clock.advance(300)
  void give()
  await clock.advance(100)
  database.error = new Error('away')
  await clock.advance(2000)
  expect(notices.filter(([, what]) => !what.startsWith('Error'))).toEqual([
    [2110, 'away since 110'],
  ])
})

test('when all that waited is durable, commands are taken again', async () => {
  const { clock, writer, database, durable, notices, give } = await openFixture()
  database.error = new Error('away')
  const answers = upTo(5000).map(() => give())
  await clock.advance(12_000)
  database.error = undefined
  database.ms = 50
  // Three batches, and only the last lets nothing wait that is old.
  while (durable.length < 2) await clock.advance(10)
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_AWAY' }))
  expect(notices.at(-1)?.[1]).toContain('away since')
  await clock.advance(50)
  writer.admit()
  expect(notices.at(-1)?.[1]).toBe('back')
  expect(durable.flatMap(({ rows }) => rows)).toHaveLength(5000)
  expect(await state(answers[0])).toBe('ERR_JOURNAL_UNKNOWN')
  await clock.advance(60_000)
  expect(notices.filter(([, what]) => what === 'back')).toHaveLength(1)
})

test('a database that is only slow is no outage', async () => {
  const { clock, writer, database, notices, give } = await openFixture()
  database.ms = 1500
  for (let i = 0; i < 20; i++) {
    const answer = give()
    await clock.advance(1500)
    writer.admit()
    expect(await state(answer)).toBe('done')
  }
  expect(notices).toEqual([])
})

test('twenty thousand may wait; more are not admitted, but kept if they come', async () => {
  const { clock, writer, database, durable, give } = await openFixture()
  database.hangs = true
  for (const _ of upTo(19_999)) void give()
  writer.admit()
  void give()
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_FULL' }))
  void give()
  expect(writer.lagRows()).toBe(20_001)
  database.hangs = false
  await clock.advance(100)
  expect(sequences(durable).flat()).toEqual(upTo(20_001))
})

test('a refusal that comes late is the outcome of what was unknown', async () => {
  const { clock, database, give } = await openFixture()
  const taken = new Error('the name is taken')
  database.refused = new Map([[0, taken]])
  database.ms = 2500
  const answer = give({ alongside: () => Promise.resolve() })
  await clock.advance(2000)
  const { outcome } = await answer.then(Object, Object)
  await clock.advance(500)
  expect(await state(outcome)).toBe(taken)
})

test('when another server takes the world, waiting rows fail, no more is written', async () => {
  const { clock, writer, database, attempts, notices, give } = await openFixture()
  const first = give()
  await clock.advance(0)
  const second = give()
  const all = writer.durable()
  database.error = new StoreError('ERR_FENCED', 'fenced', { systemIds: ['sol'] })
  await clock.advance(5)
  const third = give()
  await clock.advance(0)
  const answers = await Promise.all(
    [first, second, all, third, writer.durable({ sol: 1 })].map(state),
  )
  expect(new Set(answers)).toEqual(new Set(['ERR_JOURNAL_FENCED']))
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_FENCED' }))
  expect(notices).toEqual([[15, 'fenced']])
  await clock.advance(60_000)
  expect(attempts).toHaveLength(1)
  expect(notices).toHaveLength(1)
  await expect(writer.stop()).rejects.toMatchObject({ code: 'ERR_JOURNAL_FENCED' })
})

test('a stop writes what waits and the clock', async () => {
  const { clock, world, writer, durable, give } = await openFixture()
  void give()
  await clock.advance(0)
  const answer = give()
  world.index = 1064
  const stopped = writer.stop()
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_STOPPED' }))
  const late = give()
  await clock.advance(10)
  await stopped
  expect(await Promise.all([answer, late].map(state))).toEqual(['done', 'done'])
  expect(sequences(durable)).toEqual([[1], [2, 3]])
  expect(writer.durableIndex()).toBe(1064)
  const tooLate = give()
  await clock.advance(60_000)
  expect(await state(tooLate)).toBe('ERR_JOURNAL_STOPPED')
  expect(durable).toHaveLength(2)
})

test('a stop writes the clock that has moved since, without waiting for its second', async () => {
  const { clock, world, writer, durable } = await openFixture()
  world.index = 1064
  const stopped = writer.stop()
  await clock.advance(10)
  await stopped
  expect(durable.map((batch) => batch.clock.lattice)).toEqual([1064])
})

test('a stop before any start writes as well', async () => {
  const { clock, writer, durable, give } = journalFixture()
  void give()
  const stopped = writer.stop()
  await clock.advance(10)
  await stopped
  expect(sequences(durable)).toEqual([[1]])
})

test.each(['fails', 'hangs'])('a stop gives up after 10 s while the database %s', async (how) => {
  const { clock, writer, database, attempts, notices, give } = await openFixture()
  database.error = new Error('away')
  database.hangs = how === 'hangs'
  const first = give()
  await clock.advance(500)
  const second = give()
  const stopped = writer.stop()
  const result = stopped.then(
    () => 'done',
    (error: unknown) => error,
  )
  await clock.advance(9999)
  expect(await state(result)).toBe('pending')
  await clock.advance(1)
  expect(await result).toMatchObject({
    code: 'ERR_JOURNAL_AWAY',
    message: '2 commands did not become durable within 10000 ms.',
  })
  expect(await Promise.all([first, second].map(state))).toEqual([
    'ERR_JOURNAL_UNKNOWN',
    'ERR_JOURNAL_UNKNOWN',
  ])
  const tries = attempts.length
  const noticesBefore = notices.length
  await clock.advance(60_000)
  expect([attempts.length, notices.length]).toEqual([tries, noticesBefore])
})

test('an attempt that waits for the next one ends without it', async () => {
  const { clock, durable, give } = await openFixture()
  void give()
  await clock.advance(5)
  const append = (): Promise<never> => Promise.reject(new Error('away'))
  const appending = createAppending({ append, clock, onError: () => undefined })
  const writing = appending.untilDurable(durable[0])
  await clock.advance(50)
  expect(await state(writing)).toBe('pending')
  appending.end()
  expect(await writing).toBeUndefined()
  expect(appending.failures()).toBe(1)
})

test('a rejected outcome that is not awaited does not end the process', async () => {
  const { clock, writer, database, give } = await openFixture()
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  database.error = new Error('away')
  void give()
  await clock.advance(3000)
  writer.stop().catch(() => undefined)
  await clock.advance(10_000)
  void give()
  await setImmediate()
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

test('UTC may jump by an hour: nothing is late', async () => {
  const { clock, writer, notices, give } = await openFixture()
  const answer = give()
  clock.jumpUtc(-3_600_000)
  await clock.advance(5)
  expect(await state(answer)).toBe('done')
  clock.jumpUtc(7_200_000)
  writer.admit()
  expect(notices).toEqual([])
})
