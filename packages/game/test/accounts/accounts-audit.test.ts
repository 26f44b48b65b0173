// Goal: the audit trail names actor, action and account, and the journal the actor. Method:
// each change of an account once, in the game without a network.
import { createFirstFlights } from '../../src/accounts/first-flights.ts'
import { type Actor, type AuditEntry, audit } from '@orrery/store'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { applicant, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database
await empty()
const game = await openTestGame(database)
const { accountChanges, records } = game
const [account] = await records.accounts.list()
const { playerId: admin } = account
const chief = { ...account, address: '192.0.2.7' }

/** Who did it, as entries have it. */
function by({ playerId, username, address }: Actor): object {
  return { actor: playerId, actorName: username, address: address ?? null }
}

beforeEach(() => sql`with of_audit as (delete from audit) delete from journal`)

afterAll(() => game.crash())

/** What has been recorded since the test began. */
async function recorded(): Promise<Omit<AuditEntry, 'at'>[]> {
  const entries = await audit(sql).list({ limit: 10 })
  return entries.map(({ at: _at, ...entry }) => entry).toReversed()
}

/** Actors and commands of the journal. */
async function journalled(): Promise<unknown[]> {
  return [...(await sql`select actor, command ->> 'kind' as kind from journal order by sequence`)]
}

test('who registers is the actor', async () => {
  const address = '192.0.2.8'
  const ida = await accountChanges.createPlayer('Ida', 'password', { address })
  const { playerId } = ida
  const entry = { ...by({ ...ida, address }), subject: playerId, detail: { username: 'Ida' } }
  expect(await recorded()).toEqual([{ action: 'register', ...entry }])
  expect(await journalled()).toEqual([{ actor: playerId, kind: 'create_ship' }])
})

test('an admin makes an admin, who has no ship', async () => {
  const { playerId, shipId } = await accountChanges.createAdmin(chief, 'Eva', 'password')
  expect(shipId).toBeNull()
  expect(await recorded()).toEqual([
    { ...by(chief), action: 'create_admin', subject: playerId, detail: { username: 'Eva' } },
  ])
  expect(await journalled()).toEqual([])
})

test('a role that is changed is recorded, one that stays is not', async () => {
  const { playerId: subject } = await accountChanges.createPlayer('Role', 'password')
  await sql`truncate audit`
  for (const isAdmin of [false, true, true, false]) {
    await accountChanges.changeRole(chief, subject, isAdmin)
    expect(await records.accounts.byId(subject)).toMatchObject({ isAdmin })
  }
  const entry = { ...by(chief), action: 'change_role', subject }
  expect(await recorded()).toEqual([
    { ...entry, detail: { username: 'Role', is_admin: true } },
    { ...entry, detail: { username: 'Role', is_admin: false } },
  ])
})

test('a password that an admin sets and one that its owner changes differ', async () => {
  const account = await accountChanges.createPlayer('Word', 'password')
  const subject = account.playerId
  await sql`truncate audit`
  await accountChanges.changeOwnPassword(account, 'password', 'password 2')
  await accountChanges.resetPassword(chief, subject, 'password 3', 'any')
  expect(await recorded()).toEqual([
    { ...by(account), action: 'change_password', subject, detail: null },
    { ...by(chief), action: 'reset_password', subject, detail: { username: 'Word' } },
  ])
  const { passwordHash } = (await records.accounts.byId(subject)) ?? {}
  expect(await records.passwords.verify('password 3', passwordHash, applicant('Word'))).toBe(true)
})

test('a ship that is assigned is named', async () => {
  const { shipId } = await accountChanges.assignShip(chief, admin)
  expect(await recorded()).toEqual([
    {
      ...by(chief),
      action: 'assign_ship',
      subject: admin,
      detail: { username: 'Chief', ship_id: shipId },
    },
  ])
  expect(await journalled()).toEqual([{ actor: admin, kind: 'create_ship' }])
  expect(game.engine.universe.worlds[0].roster.byId.get(shipId)?.name).toBe('Chief')
})

test('an account that an admin deletes and one that goes differ by the actor', async () => {
  const gone = await accountChanges.createPlayer('Gone', 'password')
  const left = await accountChanges.createPlayer('Left', 'password')
  await sql`truncate audit, journal`
  await accountChanges.remove(chief, gone.playerId, 'any')
  await accountChanges.removeOwn(left)
  const action = 'delete_account'
  expect(await recorded()).toEqual([
    { ...by(chief), action, subject: gone.playerId, detail: { username: 'Gone' } },
    { ...by(left), action, subject: left.playerId, detail: { username: 'Left' } },
  ])
  expect(await journalled()).toEqual([
    { actor: admin, kind: 'remove_ship' },
    { actor: left.playerId, kind: 'remove_ship' },
  ])
})

test('who never flew and was not used for long goes in the name of the server', async () => {
  const errors: unknown[] = []
  const flights = createFirstFlights(records.accounts, (error) => errors.push(error))
  const [gone, used, flown] = await Promise.all(
    ['Unflown', 'Used', 'Flown'].map((name) => accountChanges.createPlayer(name, 'password')),
  )
  const { shipId } = flown
  await game.engine.execute(
    { kind: 'rename_ship', shipId: shipId!, name: 'Moved' },
    { actor: flown.playerId },
  )
  const rows = await sql<Parameters<typeof flights.written>[0][number][]>`
    select system as "systemId", sequence, lattice, actor, command from journal`
  await flights.written(rows)
  const before = new Date()
  await sql`update account set unflown_since = unflown_since - interval '40 days'`
  await records.accounts.markUsed(used.playerId, new Date())
  await sql`truncate audit, journal`
  for (const { playerId } of [gone, used, flown, account]) {
    const isGone = playerId === gone.playerId
    expect(await accountChanges.removeUnflown(playerId, before)).toBe(isGone)
    expect((await records.accounts.byId(playerId)) === undefined).toBe(isGone)
  }
  expect(await accountChanges.removeUnflown(gone.playerId, before)).toBe(false)
  expect(await recorded()).toEqual([
    {
      actor: null,
      actorName: null,
      address: null,
      action: 'delete_account',
      subject: gone.playerId,
      detail: { username: 'Unflown', unflown_since: expect.any(String) },
    },
  ])
  expect(await journalled()).toEqual([{ actor: null, kind: 'remove_ship' }])
  expect(errors).toEqual([])
})
