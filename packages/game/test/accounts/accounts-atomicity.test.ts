// Goal: an account, its ship and its audit entry come and go together, whatever breaks in between.
// Method: the real records in a database of their own; a fake engine that keeps ships in a set,
// waits or refuses on demand.
import { openDatabase } from '@orrery/database'
import {
  EngineError,
  type EngineErrorCode,
  type WorldCommand,
  createUniverse,
  systemClock,
} from '@orrery/engine/testing'
import {
  type Account,
  type Alongside,
  accounts as accountRecords,
  audit,
  changeAccounts,
  migrations,
} from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type AccountChanges, createAccountChanges } from '../../src/accounts/account-changes.ts'
import type { AccountKind } from '../../src/accounts/account-checks.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'
import { createPlayers } from '../../src/accounts/players.ts'
import { JournalError } from '../../src/journal/journal-error.ts'
import { createTokens } from '../../src/accounts/tokens.ts'
import { Refusal } from '../../src/refusal.ts'
import { GLOBE } from '../globe.ts'
import { createSerialQueue } from '../../src/serial-queue.ts'

const database = await openFreshDatabase({ schema: 'game', migrations })
const { sql } = database

const ships = new Set<string>()
let refused: EngineErrorCode | undefined
/** instead of what would be known once the command is kept */
let answered: Error | undefined
let gate: Promise<unknown> = Promise.resolve()
let isOpen = true
/** ships in systems of others */
const elsewhere = new Set<string | null>()
/** commands that have come to the engine */
const entered: string[] = []
let settled: Promise<void> = Promise.resolve()

async function execute(
  command: WorldCommand,
  { alongside }: { readonly alongside?: unknown } = {},
): Promise<number> {
  entered.push(command.kind)
  await gate
  if (alongside && 'shipId' in command && elsewhere.has(command.shipId)) {
    throw new EngineError('ERR_SYSTEM_STOPPED', 'written alongside what another does')
  }
  if (refused !== undefined) throw new EngineError(refused, 'as ordered')
  if (command.kind === 'create_ship') ships.add(command.shipId)
  if (command.kind === 'remove_ship' && !ships.delete(command.shipId)) {
    throw new EngineError('ERR_SHIP_UNKNOWN', 'no such ship')
  }
  if (answered) throw answered
  if (alongside) await changeAccounts(sql, alongside as Alongside)
  return 0
}

/** It has the class of new ships, and none of the ships that the fake keeps. */
const universe = createUniverse({ systems: [GLOBE], index: 64, seed: 'seed', shipsMax: 256 })

const accounts = accountRecords(sql)
/** hashes that were made, after which their accounts wait for their turn */
const hashes: string[] = []
const realPasswords = createPasswords(systemClock)
const passwords = {
  ...realPasswords,
  hash: async (password: string): Promise<string> => {
    const hash = await realPasswords.hash(password)
    hashes.push(hash)
    return hash
  },
}
/** As a process makes them. */
const changesBy = (handle: typeof sql): AccountChanges =>
  createAccountChanges({
    clock: systemClock,
    accounts: accountRecords(handle),
    change: (work) => changeAccounts(handle, work),
    engine: { execute, universe, followed: { has: (id) => elsewhere.has(id) } },
    settled: () => settled,
    passwords,
    accountQueue: createSerialQueue(),
    isOpen: async () => isOpen,
    invitedMax: 8,
    shipsPerPlayer: 3,
  })
const accountChanges = changesBy(sql)
const other = await openDatabase({ url: database.url, directory: '', schema: 'game' })
const otherChanges = changesBy(other.sql)

const admin = randomUUID()
const chief = { playerId: admin, username: 'Chief', tokenHash: 'shown' }

beforeEach(async () => {
  refused = undefined
  answered = undefined
  gate = Promise.resolve()
  isOpen = true
  entered.length = 0
  hashes.length = 0
  settled = Promise.resolve()
  ships.clear()
  elsewhere.clear()
  await sql`with of_audit as (delete from audit) delete from account`
  const row = { username: 'Chief', passwordHash: '', isAdmin: true, shipId: null }
  await accounts.create({ playerId: admin, ...row })
})

afterAll(async () => {
  await other.close()
  await database.close()
})

const trail = async (): Promise<string[]> =>
  (await audit(sql).list({ limit: 10 })).map(({ action }) => action).toReversed()

/** Sessions that wait for a lock. */
async function waiting(): Promise<number> {
  const sessions = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return sessions.length
}

/** Status and code of what must be refused. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'nothing',
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw new Error('Not refused', { cause: error })
  return `${error.status} ${error.code}`
}

test('an account whose ship cannot be made is not there, and its name is free', async () => {
  refused = 'ERR_WORLD_FULL'
  expect(await refusal(accountChanges.createPlayer('Ida', 'password'))).toBe('503 E008')
  expect(await accounts.byUsername('Ida')).toBeUndefined()
  expect(await trail()).toEqual([])
  refused = undefined
  const { shipId } = await accountChanges.createPlayer('ida', 'password')
  expect([...ships]).toEqual([shipId])
})

test('an account to which no ship can be given stays without one', async () => {
  refused = 'ERR_WORLD_FULL'
  expect(await refusal(accountChanges.assignShip(chief, admin))).toBe('503 E008')
  expect(await accounts.byId(admin)).toMatchObject({ shipId: null })
  refused = undefined
  const { shipId } = await accountChanges.assignShip(chief, admin)
  expect([...ships]).toEqual([shipId])
  expect(await refusal(accountChanges.assignShip(chief, admin))).toBe('409 E003')
  expect([...ships]).toEqual([shipId])
})

test('a deletion waits for the ship that is being made, and takes it along', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const ida = await accountChanges.createPlayer('Ida', 'password')
  gate = promise
  const assigning = accountChanges.assignShip(chief, admin)
  const removing = accountChanges.remove(chief, ida.playerId, 'any')
  await sql`select 1`
  expect(ships.size).toBe(1)
  resolve(undefined)
  const [{ shipId }] = await Promise.all([assigning, removing])
  expect([...ships]).toEqual([shipId])
  expect(await accounts.byUsername('Ida')).toBeUndefined()
})

test('a registration that waits while registration closes is refused', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  gate = promise
  const making = accountChanges.createPlayer('Ida', 'password')
  while (entered.length === 0) await sql`select 1`
  const waiting = refusal(accountChanges.createPlayer('Max', 'password'))
  const byAdmin = accountChanges.createAdmin(chief, 'Eva', 'password')
  while (hashes.length < 3) await sql`select 1`
  isOpen = false
  resolve(undefined)
  expect(await making).toMatchObject({ username: 'Ida' })
  expect(await waiting).toBe('403 E020')
  expect(await byAdmin).toMatchObject({ username: 'Eva', isAdmin: true })
  expect(await accounts.byUsername('Max')).toBeUndefined()
})

test('the next change waits until what was acted on is durable, the answer does not', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  settled = promise
  await accountChanges.createPlayer('Ida', 'password')
  const next = accountChanges.createAdmin(chief, 'Eva', 'password')
  while (hashes.length < 2) await sql`select 1`
  for (let i = 0; i < 10; i++) await sql`select 1`
  expect(await accounts.byUsername('Eva')).toBeUndefined()
  resolve()
  expect(await next).toMatchObject({ username: 'Eva' })
})

test('what cannot be written to the audit trail does not happen', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  const { playerId, shipId } = ida
  await sql`alter table audit rename to audit_elsewhere`
  try {
    const attempts = [
      accountChanges.createPlayer('Max', 'password'),
      accountChanges.createAdmin(chief, 'Max2', 'password'),
      accountChanges.remove(chief, playerId, 'any'),
      accountChanges.removeOwn(ida),
      accountChanges.changeRole(chief, playerId, true),
      accountChanges.resetPassword(chief, playerId, 'password 2', 'any'),
      accountChanges.assignShip(chief, admin),
      accountChanges.addOwnShip(ida),
    ]
    for (const { status } of await Promise.allSettled(attempts)) expect(status).toBe('rejected')
  } finally {
    await sql`alter table audit_elsewhere rename to audit`
  }
  expect(await accounts.list()).toMatchObject([
    { playerId: admin, shipId: null },
    { playerId, shipId, isAdmin: false, generation: 0 },
  ])
  expect([...ships]).toEqual([shipId])
})

test('what turns out to be unwritten after the answer is undone all the same', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  const unknown = new JournalError('ERR_JOURNAL_UNKNOWN', 'as ordered', { outcome: promise })
  answered = unknown
  expect(await refusal(accountChanges.createPlayer('Ida', 'password'))).toBe('500 E008')
  expect(ships.size).toBe(1)
  answered = undefined
  reject(new Error('refused alongside'))
  while (ships.size > 0) await sql`select 1`
  expect(entered).toEqual(['create_ship', 'remove_ship'])
})

test('an account has as many ships as it may, flies one of them, and takes all along', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  const max = await accountChanges.createPlayer('Max', 'password')
  const first = ida.shipId ?? ''
  refused = 'ERR_WORLD_FULL'
  expect(await refusal(accountChanges.addOwnShip(ida))).toBe('503 E008')
  refused = undefined
  // Either can be the later one.
  const added = await Promise.all([1, 2].map(() => accountChanges.addOwnShip(ida)))
  const [second, third] = added.flatMap(({ coastingShips: all }) => (all.length > 1 ? all : []))
  expect(await refusal(accountChanges.addOwnShip(ida))).toBe('409 E003')
  expect(await refusal(accountChanges.addOwnShip(chief))).toBe('404 E006')
  expect(await refusal(accountChanges.flyShip(max, first))).toBe('404 E006')
  expect(await accountChanges.flyShip(ida, third)).toMatchObject({ shipId: third })
  expect(await accounts.byId(ida.playerId)).toMatchObject({ coastingShips: [second, first] })
  expect(ships).toEqual(new Set([first, max.shipId, second, third]))
  await accountChanges.removeOwn(ida)
  expect([...ships]).toEqual([max.shipId])
})

test('an account goes when its ship is gone already, not when the engine has stopped', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  const max = await accountChanges.createPlayer('Max', 'password')
  ships.delete(ida.shipId ?? '')
  await accountChanges.remove(chief, ida.playerId, 'any')
  refused = 'ERR_STOPPED'
  expect(await refusal(accountChanges.remove(chief, max.playerId, 'any'))).toBe('503 E008')
  expect(await accounts.list()).toMatchObject([{ playerId: admin }, { playerId: max.playerId }])
})

test('an account goes after a ship that another process removes, or the ship is back', async () => {
  const { playerId, shipId } = await accountChanges.createPlayer('Ida', 'password')
  elsewhere.add(shipId)
  await sql`alter table audit rename to audit_elsewhere`
  try {
    await expect(accountChanges.remove(chief, playerId, 'any')).rejects.toThrow('audit')
  } finally {
    await sql`alter table audit_elsewhere rename to audit`
  }
  expect(await accounts.list()).toMatchObject([{ playerId: admin }, { playerId, shipId }])
  expect([...ships]).toEqual([shipId])
  await accountChanges.remove(chief, playerId, 'any')
  expect(await accounts.list()).toMatchObject([{ playerId: admin }])
  expect(ships.size).toBe(0)
  expect(await trail()).toEqual(['register', 'delete_account'])
})

test('an account that is no admin any more at its turn changes nothing', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  await sql`update account set is_admin = false where player_id = ${admin}`
  const before = await trail()
  const attempts = [
    accountChanges.createAdmin(chief, 'Max', 'password'),
    accountChanges.remove(chief, ida.playerId, 'any'),
    accountChanges.changeRole(chief, ida.playerId, true),
    accountChanges.resetPassword(chief, ida.playerId, 'password 2', 'any'),
    accountChanges.assignShip(chief, admin),
  ]
  expect(await Promise.all(attempts.map(refusal))).toEqual(Array(5).fill('401 E005'))
  expect(await accounts.list()).toMatchObject([{ playerId: admin, isAdmin: false }, ida])
  expect(await trail()).toEqual(before)
})

test('an admin ends or changes no account of their own, and the last one stays', async () => {
  expect(await refusal(accountChanges.remove(chief, admin, 'any'))).toBe('400 E003')
  expect(await refusal(accountChanges.changeRole(chief, admin, false))).toBe('400 E003')
  expect(await refusal(accountChanges.removeOwn(chief))).toBe('400 E003')
  expect(await trail()).toEqual([])
  const eva = await accountChanges.createAdmin(chief, 'Eva', 'password')
  expect(await refusal(accountChanges.remove(chief, randomUUID(), 'any'))).toBe('404 E009')
  await accountChanges.removeOwn(chief)
  expect(await accounts.list()).toMatchObject([{ playerId: eva.playerId }])
  expect(await refusal(accountChanges.removeOwn(eva))).toBe('400 E003')
})

test.each<[string, (changes: AccountChanges, actor: Account, target: Account) => Promise<unknown>]>(
  [
    [
      'demote each other',
      (changes, actor, { playerId }) => changes.changeRole(actor, playerId, false),
    ],
    ['remove each other', (changes, actor, { playerId }) => changes.remove(actor, playerId, 'any')],
    ['remove themselves', (changes, actor) => changes.removeOwn(actor)],
  ],
)('of two admins who %s over two processes at once, one is left', async (_, change) => {
  const eva = await accountChanges.createAdmin(chief, 'Eva', 'password')
  const [first] = await accounts.admins()
  // Both have read that there are two admins when the first one changes anything.
  const attempts = await sql.begin(async (transaction) => {
    await transaction`select from account for update`
    const both = [change(accountChanges, first, eva), change(otherChanges, eva, first)].map(
      (attempt) =>
        attempt.then(
          () => 'done',
          (reason: unknown) => reason,
        ),
    )
    while ((await waiting()) < 2);
    return { both }
  })
  const outcomes = await Promise.all(attempts.both)
  expect(outcomes).toContain('done')
  expect(outcomes).toContainEqual(expect.objectContaining({ name: 'Refusal' }))
  expect(await accounts.adminCount()).toBe(1)
})

test('a password reset ends tokens, save the one of the admin who does it', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  const reset = (playerId: string, kind: AccountKind): Promise<object> =>
    accountChanges.resetPassword(chief, playerId, 'password 2', kind)
  expect(await refusal(reset(ida.playerId, 'admin'))).toBe('404 E009')
  expect(await reset(ida.playerId, 'any')).toMatchObject({ playerId: ida.playerId })
  expect(await reset(admin, 'any')).toMatchObject({ playerId: admin })
  expect(await accounts.byId(ida.playerId)).toMatchObject({ generation: 1, keptToken: null })
  expect(await accounts.byId(admin)).toMatchObject({ generation: 1, keptToken: 'shown' })
})

test('a changed password ends other tokens, and needs the one that counts now', async () => {
  const ida = await accountChanges.createPlayer('Ida', 'password')
  const wrong = accountChanges.changeOwnPassword(ida, 'passwort', 'password 2')
  expect(await refusal(wrong)).toBe('401 E005')
  const shown = { ...ida, tokenHash: 'own' }
  await accountChanges.changeOwnPassword(shown, 'password', 'password 2')
  expect(await accounts.byId(ida.playerId)).toMatchObject({ generation: 1, keptToken: 'own' })
  // The account as it was read before: its password has been changed since.
  const late = accountChanges.changeOwnPassword(ida, 'password', 'password 3')
  expect(await refusal(late)).toBe('401 E005')
})

test('logins and registrations are counted by how they went', async () => {
  const tokens = createTokens(Buffer.alloc(32, 1), Date.now)
  const players = createPlayers({
    accounts,
    accountChanges,
    tokens,
    passwords,
    auditTrail: audit(sql),
    onError: (error) => expect.fail(String(error)),
    clock: systemClock,
  })
  await players.register('Ida', 'password')
  expect(await refusal(players.register('Ida', 'password'))).toBe('409 E010')
  await players.login({ address: '192.0.2.1', username: 'Ida' }, 'password', 'player')
  for (const [username, password, type] of [
    ['Ida', 'wrong password', 'player'],
    ['Stranger', 'password', 'player'],
    ['Ida', 'password', 'admin'],
  ] as const) {
    const applicant = { address: '192.0.2.1', username }
    expect(await refusal(players.login(applicant, password, type))).toBe('401 E005')
  }
  players.loginRefused()
  expect(players.counters()).toEqual({ registrations: 1, loginsFailed: 3, loginsRefused: 1 })
})
