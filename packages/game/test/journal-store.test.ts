// Goal: what the writer acknowledges is in the database, once and in order, with the accounts that
// belong to it, also when answers are lost or connections cut. Method: commands given in waves to a
// writer before the store's journal in a real database.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@orrery/database'
import { type CommandRow, systemClock } from '@orrery/engine'
import {
  type AccountRecords,
  type Journal,
  type JournalBatch,
  accounts,
  claimWorld,
  journal,
  migrations,
} from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { afterAll, expect, test } from 'vitest'
import { type JournalWriter, createJournalWriter } from '../src/journal/journal-writer.ts'
import { momentOf, upTo } from './journal-fixture.ts'

interface JournalFixture {
  readonly writer: JournalWriter
  readonly world: { era: number; index: number; sequence: number; paused: boolean }
  readonly errors: unknown[]
  readonly fenced: Promise<void>
  readonly give: (more?: Partial<CommandRow>) => Promise<void>
}

const database = await openFreshDatabase({ schema: 'game', migrations })
let eras = 0

afterAll(() => database.close())

async function openFixture(
  through: (append: Journal['append']) => Journal['append'] = (append) => append,
): Promise<JournalFixture> {
  const world = { era: ++eras, index: 50_000_000_000, sequence: 0, paused: false }
  const errors: unknown[] = []
  const { promise: fenced, resolve } = Promise.withResolvers<void>()
  const writer = createJournalWriter({
    append: through((batch) => journal(database.sql).append(batch)),
    clock: systemClock,
    moment: () => momentOf(world, { sol: world.sequence }),
    era: () => world.era,
    fence: await claimWorld(database.sql),
    onAway: () => undefined,
    onLost: () => undefined,
    onBack: () => undefined,
    onFenced: resolve,
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
  return { writer, world, errors, fenced, give }
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

async function stored({ world }: JournalFixture): Promise<JournalBatch[]> {
  const batches: JournalBatch[] = []
  const key = { era: world.era, systemId: 'sol' }
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
  await claimWorld(database.sql)
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
