// Law: an invitation is good until its time, as often as was granted, while its player has a ship;
// the database does not hold its code. Method: real tables, and a time that the test sets.
import { accounts, changeAccounts, migrations } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { hostOf, makeInvitation, useInvitation } from '../../src/accounts/invitations.ts'

const database = await openFreshDatabase({ schema: 'game', migrations })
const { sql } = database

afterAll(() => database.close())

const NOW = Date.UTC(2026, 10, 28)
const HOUR = 3_600_000
const host = { playerId: randomUUID(), username: 'Host' }
const shipId = randomUUID()

beforeEach(async () => {
  await sql`delete from account`
  await accounts(sql).create({ ...host, passwordHash: '', isAdmin: false, shipId })
})

const make = (uses: number, hours: number, nowMs = NOW) =>
  changeAccounts(sql, (records) =>
    makeInvitation(records, host, { uses, hours }, { nowMs, usesMax: 5 }),
  )
const find = (code: string, nowMs = NOW) =>
  changeAccounts(sql, (records) => hostOf(records, code, { nowMs, usesMax: 5 }))
const use = (code: string) => changeAccounts(sql, (records) => useInvitation(records, code))
const refused = (status: number, code: string) => expect.objectContaining({ status, code })

test('is good until its time', async () => {
  const { code, expiresAt } = await make(1, 2)
  expect(expiresAt.getTime()).toBe(NOW + 2 * HOUR)
  expect(await find(code, NOW + 2 * HOUR - 1)).toEqual({ playerId: host.playerId, shipId })
  const late = find(code, NOW + 2 * HOUR)
  await expect(late).rejects.toMatchObject({ status: 409, message: 'The invitation has expired' })
})

test('is used as often as was granted, and no more at once', async () => {
  const { code } = await make(2, 1)
  const outcomes = await Promise.allSettled([use(code), use(code), use(code)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  await expect(find(code)).rejects.toEqual(refused(409, 'E003'))
})

test('of several that are made at once, the limit holds', async () => {
  const outcomes = await Promise.allSettled([make(2, 1), make(2, 1), make(2, 1), make(2, 1)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('what has expired counts no more against the limit', async () => {
  await make(5, 1)
  await expect(make(1, 1)).rejects.toEqual(refused(409, 'E003'))
  expect((await make(5, 1, NOW + HOUR)).uses).toBe(5)
})

test('goes with the ship and the account, and its code is nowhere', async () => {
  const { code } = await make(1, 1)
  const [{ row }] = await sql<[{ row: string }]>`select invitation::text as row from invitation`
  expect(row).toContain(host.playerId)
  expect(row).not.toContain(code)
  await accounts(sql).updateShip(host.playerId, null)
  await expect(find(code)).rejects.toEqual(refused(409, 'E003'))
  await expect(make(1, 1)).rejects.toEqual(refused(404, 'E006'))
  await accounts(sql).delete(host.playerId)
  await expect(find(code)).rejects.toEqual(refused(404, 'E002'))
})
