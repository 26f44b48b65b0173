// Goal: what the writer acknowledges is in the database, once and in order, with the accounts that
// belong to it, also when answers are lost or connections cut. Method: commands given in waves to a
// writer before the store's journal in a real database.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@orrery/database'
import { type CommandRow, type HandOff, systemClock } from '@orrery/engine/testing'
import {
  type AccountRecords,
  type Journal,
  type JournalBatch,
  accounts,
  claimSystems,
  journal,
  migrations,
} from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { afterAll, expect, test } from 'vitest'
import { type JournalWriter, createJournalWriter } from '../../src/journal/journal-writer.ts'
import { momentOf, upTo } from './journal-fixture.ts'

interface JournalFixture {
  readonly writer: JournalWriter
  readonly world: { era: number; index: number; sequence: number; paused: boolean }
  /** sequences of other systems than Sol */
  readonly others: Record<string, number>
  readonly stopped: string[]
  readonly errors: unknown[]
  readonly fenced: Promise<void>
  readonly give: (more?: Partial<CommandRow>) => Promise<void>
}

const FENCED = 'ERR_JOURNAL_FENCED'
const STOPPED = 'ERR_JOURNAL_SYSTEM_STOPPED'

const database = await openFreshDatabase({ schema: 'game', migrations })
let eras = 0

afterAll(() => database.close())

async function openFixture(
  through: (append: Journal['append']) => Journal['append'] = (append) => append,
): Promise<JournalFixture> {
  const world = { era: ++eras, index: 50_000_000_000, sequence: 0, paused: false }
  const others: Record<string, number> = {}
  const stopped: string[] = []
  const errors: unknown[] = []
  const { promise: fenced, resolve } = Promise.withResolvers<void>()
  const writer = createJournalWriter({
    append: through((batch) => journal(database.sql).append(batch)),
    clock: systemClock,
    moment: () => momentOf(world, { ...others, sol: world.sequence }),
    era: () => world.era,
    owner: await claimSystems(database.sql, { systemIds: ['sol', 'wolf', 'ross'] }),
    onAway: () => undefined,
    onBack: () => undefined,
    onFenced: resolve,
    onSystemStopped: (systemId) => stopped.push(systemId),
    onError: (error) => errors.push(error),
  })
  writer.start()
  const give: JournalFixture['give'] = (more) => {
    const sequence = ++world.sequence
    const seal: CommandRow['seal'] = () => ({ kind: 'remove_ship', shipId: `${sequence}` })
    return writer.keep({
      systemId: 'sol',
      sequence,
      index: world.index,
      actor: null,
      seal,
      ...more,
    })
  }
  return { writer, world, others, stopped, errors, fenced, give }
}

/** Gives commands in waves while the world moves on; returns the answers. */
async function waves(
  { world, give }: JournalFixture,
  count: number,
): Promise<PromiseSettledResult<void>[]> {
  const answers: Promise<void>[] = []
  for (let wave = 0; wave < count; wave++) {
    world.index += 16
    for (let i = 0; i <= wave % 7; i++) answers.push(give())
    await pause(3)
  }
  return Promise.allSettled(answers)
}

async function stored({ world }: JournalFixture, systemId = 'sol'): Promise<JournalBatch[]> {
  const batches: JournalBatch[] = []
  const key = { era: world.era, systemId }
  for await (const batch of journal(database.sql).batches(key, 0)) batches.push(batch)
  return batches
}

function sequencesOf(batches: readonly JournalBatch[]): number[] {
  return batches.flatMap(({ rows }) => rows.map(({ sequence }) => sequence))
}

function newAccount(username: string) {
  return ({ accounts: table }: AccountRecords): Promise<void> =>
    table
      .create({ playerId: randomUUID(), username, passwordHash: 'x', isAdmin: false, shipId: null })
      .then(() => undefined)
}

test('all that is acknowledged is there, in order, and the last clock is the stop', async () => {
  const fixture = await openFixture()
  const answers = await waves(fixture, 60)
  expect(fixture.errors).toEqual([])
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  fixture.world.index += 16
  await fixture.writer.stop()
  const batches = await stored(fixture)
  expect(sequencesOf(batches)).toEqual(upTo(fixture.world.sequence))
  const { sequence, index: lattice } = fixture.world
  expect(batches.at(-1)?.clock).toMatchObject({ sequence, lattice })
  for (const { rows, clock } of batches) {
    for (const row of rows) expect(row.lattice).toBeLessThanOrEqual(clock.lattice)
  }
  expect(fixture.errors).toEqual([])
})

test('an account comes with its command; a taken name rejects that one alone', async () => {
  const fixture = await openFixture()
  const answers = await Promise.allSettled([
    fixture.give({ alongside: newAccount('Ripley') }),
    fixture.give({ alongside: newAccount('ripley') }),
    fixture.give(),
    fixture.give({ alongside: newAccount('Ash') }),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'ERR_USERNAME_TAKEN' } },
    { status: 'fulfilled' },
    { status: 'fulfilled' },
  ])
  await fixture.writer.stop()
  expect(sequencesOf(await stored(fixture))).toEqual([1, 2, 3, 4])
  const names = (await accounts(database.sql).list()).map(({ username }) => username)
  expect(names.toSorted()).toEqual(['Ash', 'Ripley'])
})

test('when every other answer is lost, nothing is written twice', async () => {
  let calls = 0
  const fixture = await openFixture((append) => async (batch) => {
    const outcome = await append(batch)
    if (++calls % 2 === 1) throw Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' })
    return outcome
  })
  const account = fixture.give({ alongside: newAccount('Kane') })
  const taken = fixture.give({ alongside: newAccount('KANE') })
  const answers = await waves(fixture, 20)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  await account
  await expect(taken).rejects.toMatchObject({ code: 'ERR_USERNAME_TAKEN' })
  await fixture.writer.stop()
  expect(sequencesOf(await stored(fixture))).toEqual(upTo(fixture.world.sequence))
  expect(fixture.writer.metrics().failures).toBeGreaterThan(0)
})

test('whose world another has taken writes nothing more', async () => {
  const fixture = await openFixture()
  await fixture.give()
  await claimSystems(database.sql)
  const answers = await Promise.allSettled([fixture.give(), fixture.give()])
  const reason = { code: 'ERR_JOURNAL_FENCED' }
  expect(answers).toMatchObject([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  await fixture.fenced
  await expect(fixture.writer.stop()).rejects.toMatchObject(reason)
  expect(sequencesOf(await stored(fixture))).toEqual([1])
})

test('a star system that another takes stops by name, and the others go on', async () => {
  const fixture = await openFixture()
  const { give, others, stopped, writer } = fixture
  others['wolf'] = 1
  await Promise.all([give(), give({ systemId: 'wolf', sequence: 1 })])
  await claimSystems(database.sql, { systemIds: ['wolf'] })
  const kept = fixture.world.sequence
  others['wolf'] = 2
  const answers = [give({ systemId: 'wolf', sequence: 2 }), give()]
  expect(await Promise.all(answers.map(outcome))).toEqual(['ERR_JOURNAL_FENCED', 'done'])
  expect(stopped).toEqual(['wolf'])
  expect(writer.metrics().stopped).toMatchObject([{ reason: expect.stringContaining('taken it') }])
  expect(await outcome(give())).toBe('done')
  expect(await outcome(writer.durable({ sol: kept, wolf: 1 }))).toBe('done')
  expect(await outcome(writer.durable({ sol: kept, wolf: 2 }))).toBe('ERR_JOURNAL_FENCED')
  await writer.stop()
  expect(sequencesOf(await stored(fixture, 'wolf'))).toEqual([1])
})

test.each([
  ['moved ahead of its owner', 'update system_owner set sequence = sequence + 70', STOPPED],
  ['given another claim', 'update system_owner set claim = gen_random_uuid()', FENCED],
  ['given the fence before', 'update system_owner set fence = fence - 1', FENCED],
  ['deleted', 'delete from system_owner', FENCED],
])(
  'a star system whose row was %s by hand stops by name, and the others go on',
  async (...given) => {
    const [, change, reason] = given
    const fixture = await openFixture()
    const { give, others, stopped, errors } = fixture
    others['wolf'] = 1
    await Promise.all([give(), give({ systemId: 'wolf', sequence: 1 })])
    await database.sql.unsafe(`${change} where system = 'wolf'`)
    others['wolf'] = 2
    const answers = [give({ systemId: 'wolf', sequence: 2 }), give()]
    expect(await Promise.all(answers.map(outcome))).toEqual([reason, 'done'])
    expect([stopped, errors]).toEqual([['wolf'], []])
    await fixture.writer.stop()
    expect(sequencesOf(await stored(fixture, 'wolf'))).toEqual([1])
  },
)

test('while a transaction keeps a row, answers say so, and what was acted on is kept', async () => {
  const fixture = await openFixture()
  const { give, others } = fixture
  await give()
  const locked = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const open = database.sql.begin(async (transaction) => {
    await transaction`select from system_owner where system = 'wolf' for update`
    locked.resolve()
    await ended.promise
  })
  await locked.promise
  others['wolf'] = 1
  const answers = [give({ systemId: 'wolf', sequence: 1 }), give()]
  const unknown = 'ERR_JOURNAL_UNKNOWN'
  expect(await Promise.all(answers.map(outcome))).toEqual([unknown, unknown])
  ended.resolve()
  await open
  await fixture.writer.stop()
  expect(sequencesOf(await stored(fixture, 'wolf'))).toEqual([1])
  expect(sequencesOf(await stored(fixture))).toEqual([1, 3])
})

test('connections that are cut lose nothing that was acknowledged', async () => {
  const { url } = database
  const saboteur = await openDatabase({ url, directory: '', schema: 'game' })
  const fixture = await openFixture()
  const answers: PromiseSettledResult<void>[] = []
  for (let cut = 0; cut < 5; cut++) {
    const round = waves(fixture, 40)
    await pause(60)
    await saboteur.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    answers.push(...(await round))
  }
  await fixture.writer.stop()
  const sequences = sequencesOf(await stored(fixture))
  expect(sequences).toEqual(upTo(fixture.world.sequence))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect(fixture.writer.metrics().failures).toBeGreaterThan(0)
  await saboteur.close()
})

/** What no column of JSON can keep. */
const UNKEPT: Pick<CommandRow, 'seal'> = {
  seal: () => ({ kind: 'rename_ship', shipId: '1', name: '\u0000' }),
}

/** What a promise comes to: the code of its error, if it has one. */
function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'done',
    (error: unknown) => Object(error).code,
  )
}

test('a command that can never be kept stops its star system, and the others go on', async () => {
  const fixture = await openFixture()
  const { give, others, stopped, writer } = fixture
  const other = (): Promise<void> => {
    others['wolf'] = (others['wolf'] ?? 0) + 1
    return give({ systemId: 'wolf', sequence: others['wolf'] })
  }
  await Promise.all([give(), other()])
  const kept = fixture.world.sequence
  const together = [give(UNKEPT), other(), give()]
  fixture.world.index += 16
  expect(await Promise.all(together.map(outcome))).toEqual([STOPPED, 'done', STOPPED])
  expect(stopped).toEqual(['sol'])
  expect(await Promise.all([give(), other()].map(outcome))).toEqual([STOPPED, 'done'])
  expect(writer.metrics()).toMatchObject({
    lagRows: 0,
    stopped: [{ systemId: 'sol', reason: expect.stringContaining('(22P05)') }],
  })
  expect(await outcome(writer.durable({ sol: kept, wolf: 3 }))).toBe('done')
  expect(await outcome(writer.durable({ sol: kept + 1, wolf: 3 }))).toBe(STOPPED)
  await writer.atRest(async () => undefined)
  expect(writer.metrics().stopped).toEqual([])
  await writer.stop()
  const batches = await stored(fixture)
  expect(sequencesOf(batches)).toEqual([1])
  expect(sequencesOf(await stored(fixture, 'wolf'))).toEqual([1, 2, 3])
})

test('with a system stops the one that took a ship over from it in the same moment', async () => {
  const fixture = await openFixture()
  const { give, others, stopped, writer, world } = fixture
  await give()
  Object.assign(others, { wolf: 1, ross: 1 })
  const handOff = { shipId: randomUUID(), from: 'sol', to: 'wolf', index: world.index } as HandOff
  const answers = [
    give({ ...UNKEPT, departure: handOff }),
    give({ systemId: 'wolf', sequence: 1, arrival: handOff }),
    give({ systemId: 'ross', sequence: 1 }),
  ]
  expect(await Promise.all(answers.map(outcome))).toEqual([STOPPED, STOPPED, 'done'])
  expect(stopped).toEqual(['sol', 'wolf'])
  await writer.stop()
  expect(sequencesOf(await stored(fixture, 'wolf'))).toEqual([])
  expect(await journal(database.sql).inTransit(world.era)).toEqual([])
})

test('an error that is of no star system is an outage as long as it lasts', async () => {
  const broken = Object.assign(new Error('no table'), { code: '42P01' })
  let isBroken = true
  const fixture = await openFixture((append) => async (batch) => {
    if (isBroken) throw broken
    return append(batch)
  })
  const answer = fixture.give()
  while (!fixture.errors.includes(broken)) await pause(5)
  expect(fixture.stopped).toEqual([])
  isBroken = false
  expect(await outcome(answer)).toBe('done')
  await fixture.writer.stop()
})
