import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { type NewAccount, accounts, followConsents, shipOwners } from '../src/index.ts'

function newAccount(username: string, more: Partial<NewAccount> = {}): NewAccount {
  const playerId = randomUUID()
  return { playerId, username, passwordHash: 'hash', isAdmin: false, shipId: null, ...more }
}

export function accountLaws(database: Database): void {
  it('an account is found by its id and by its name in any case', async () => {
    const players = accounts(database.sql)
    const shipId = randomUUID()
    const created = await players.create(newAccount('Ripléy', { shipId }))
    expect(created).toMatchObject({ username: 'Ripléy', generation: 0, isAdmin: false, shipId })
    expect(created.createdAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
    expect(await players.byId(created.playerId.toUpperCase())).toEqual(created)
    for (const name of ['Ripléy', 'RIPLÉY', 'riple\u0301y']) {
      expect(await players.byUsername(name)).toEqual(created)
    }
    await players.delete(created.playerId)
  })

  it('of several registrations of one name at once, one wins', async () => {
    const players = accounts(database.sql)
    const names = ['Dallas', 'dallas', 'DALLAS', 'dAlLaS']
    const outcomes = await Promise.allSettled(names.map((name) => players.create(newAccount(name))))
    const failures = outcomes.filter(({ status }) => status === 'rejected')
    const taken = {
      status: 'rejected',
      reason: expect.objectContaining({ code: 'ERR_USERNAME_TAKEN' }),
    }
    expect(failures).toEqual([taken, taken, taken])
    const winner = await players.byUsername('dallas')
    const twin = newAccount('Kane', { playerId: winner?.playerId ?? '' })
    await expect(players.create(twin)).rejects.toMatchObject({ code: 'ERR_PLAYER_EXISTS' })
    expect(await players.delete(winner?.playerId ?? '')).toBe(true)
  })

  it('a taken name leaves the transaction around it usable', async () => {
    const { sql } = database
    const first = await accounts(sql).create(newAccount('Lambert'))
    await sql.begin(async (transaction) => {
      const players = accounts(transaction)
      const attempt = players.create(newAccount('LAMBERT'))
      await expect(attempt).rejects.toMatchObject({ code: 'ERR_USERNAME_TAKEN' })
      await players.create(newAccount('Lambert2'))
    })
    expect(await accounts(sql).byUsername('lambert2')).toBeDefined()
    await sql`delete from account`
    expect(await accounts(sql).byId(first.playerId)).toBeUndefined()
  })

  it('accounts and administrators are listed oldest first, then by id', async () => {
    const { sql } = database
    const players = accounts(sql)
    const ids = ['3', '1', '2'].map((n) => `${n.repeat(8)}-0000-4000-8000-000000000000`)
    for (const [index, playerId] of ids.entries()) {
      await players.create(newAccount(`crew${index}`, { playerId, isAdmin: index !== 1 }))
    }
    await sql`update account set created_at = '2026-01-01T00:00:00Z' where username <> 'crew2'`
    const names = (rows: readonly { username: string }[]): string[] =>
      rows.map((row) => row.username)
    expect(names(await players.list())).toEqual(['crew1', 'crew0', 'crew2'])
    expect(names(await players.admins())).toEqual(['crew0', 'crew2'])
    expect(await players.adminCount()).toBe(2)
    await sql`delete from account`
    expect(await players.adminCount()).toBe(0)
  })

  it('pages cover what a search finds once, whatever is deleted in between', async () => {
    const { sql } = database
    const players = accounts(sql)
    const ships = Array.from({ length: 7 }, () => randomUUID())
    for (const [index, shipId] of ships.entries()) {
      await players.create(newAccount(index === 3 ? 'Other' : `Crew_${index}`, { shipId }))
    }
    await sql`
      update account set created_at = '2026-01-01T00:00:00.123456Z' where username <> 'Crew_6'`
    const whole = (await players.list()).filter(({ username }) => username !== 'Other')
    const first = await players.page({ search: 'cREW_', limit: 3 })
    expect(first).toMatchObject({ total: 6, accounts: whole.slice(0, 3) })
    await players.delete(first.accounts[2]?.playerId ?? '')
    const second = await players.page({ search: 'crew_', limit: 3, after: first.next ?? '' })
    expect(second).toEqual({ total: 5, accounts: whole.slice(3), next: undefined })
    const [other] = (await players.page({ search: ships[3] ?? '', limit: 3 })).accounts
    expect(other?.username).toBe('Other')
    for (const search of ['%', '_ew', '\0']) {
      expect(await players.page({ search, limit: 3 })).toMatchObject({ total: 0, accounts: [] })
    }
    expect((await players.page({ search: '', limit: 3, after: 'x' })).accounts).toEqual([])
    await sql`delete from account`
  })

  it('pages are as whole and in order among thousands, whether few or many are found', async () => {
    const { sql } = database
    const players = accounts(sql)
    await sql`
      insert into account (player_id, username, username_key, password_hash, created_at)
      select gen_random_uuid(), name, lower(name), 'hash', now() - i % 7 * interval '1 second'
      from generate_series(1, 3000) i,
        concat(case when i % 3 > 0 then 'Crew_' when i % 2 > 0 then 'Rover_' end, i, '_x') name`
    const all = await players.list()
    for (const [search, count] of [
      ['crew_', 2000],
      ['rover_', 500],
      ['', 3000],
    ] as const) {
      const expected = all.filter(({ username }) => username.toLowerCase().startsWith(search))
      const found: unknown[] = []
      let after: string | undefined
      do {
        const options = { search, limit: 170, ...(after !== undefined && { after }) }
        const { accounts: some, total, next } = await players.page(options)
        expect(total).toBe(count)
        found.push(...some)
        after = next
      } while (after !== undefined)
      expect(found).toEqual(expected)
    }
    await sql`delete from account`
  })

  it('a consent to be followed is given once, and goes with its account', async () => {
    const { sql } = database
    const [players, consents] = [accounts(sql), followConsents(sql)]
    const ids: string[] = []
    for (const name of ['First', 'Second', 'Bare']) {
      const shipId = name === 'Bare' ? null : randomUUID()
      ids.push((await players.create(newAccount(name, { shipId }))).playerId)
    }
    const ships = (await players.list()).flatMap(({ shipId }) => shipId ?? [])
    for (const id of [...ids, ids[0], randomUUID()]) await consents.give(id)
    expect(await consents.ships(9)).toEqual(ships.toReversed())
    expect(await consents.ships(1)).toEqual(ships.slice(1))
    await consents.withdraw(ids[1])
    expect(await Promise.all(ids.map((id) => consents.isGiven(id)))).toEqual([true, false, true])
    await sql`delete from account`
    expect(await consents.ships(9)).toEqual([])
    expect(await consents.isGiven(ids[0])).toBe(false)
  })

  it('who never flew is known until a flight, or a gift of an admin; a use defers it', async () => {
    const { sql } = database
    const players = accounts(sql)
    const unflownSince = new Date(0)
    const ids = await Promise.all(
      ['Idle', 'Used', 'Flown', 'Raised', 'Given', 'Bare'].map(async (name) => {
        const shipId = name === 'Bare' ? null : randomUUID()
        return (await players.create(newAccount(name, { shipId, unflownSince }))).playerId
      }),
    )
    const [idle, used, flown, raised, given] = ids
    const made = await players.create(newAccount('Made', { shipId: randomUUID() }))
    const before = new Date(1)
    const found = async (limit = 9): Promise<string[]> => players.unflown({ before, limit })
    expect((await found()).toSorted()).toEqual(ids.slice(0, 5).toSorted())
    expect(await found(2)).toHaveLength(2)
    await players.markUsed(used, new Date())
    await players.markUsed(made.playerId, new Date())
    await players.markFlown([flown, randomUUID()])
    await players.updateRole(raised, true)
    await players.updateRole(raised, false)
    await players.updateShip(given, randomUUID())
    expect(await found()).toEqual([idle])
    const since = async (id: string): Promise<unknown> => (await players.byId(id))?.unflownSince
    expect(await since(used)).toBeInstanceOf(Date)
    await players.markFlown([used])
    for (const id of [used, flown, made.playerId]) {
      await players.markUsed(id, new Date())
      expect(await since(id)).toBeNull()
    }
    await sql`delete from account`
  })

  it('a change affects its own columns only', async () => {
    const players = accounts(database.sql)
    const { playerId, ...rest } = await players.create(newAccount('Ash'))
    const shipId = randomUUID()
    expect(rest).toMatchObject({ generation: 0, tokensFrom: null, keptToken: null })
    const tokensFrom = expect.any(Date)
    expect(await players.updatePassword(playerId, 'own', 'kept')).toEqual({
      ...rest,
      playerId,
      passwordHash: 'own',
      generation: 1,
      tokensFrom,
      keptToken: 'kept',
    })
    await players.updatePassword(playerId, 'reset')
    await players.updateRole(playerId, true)
    expect(await players.endTokens(playerId)).toMatchObject({ passwordHash: 'reset' })
    expect(await players.updateShip(playerId, shipId)).toEqual({
      ...rest,
      playerId,
      passwordHash: 'reset',
      generation: 3,
      tokensFrom,
      isAdmin: true,
      shipId,
    })
    expect(await players.updateShip(playerId, null)).toMatchObject({ shipId: null })
    expect(await players.delete(playerId)).toBe(true)
  })

  it('an unknown account is an answer, not an error', async () => {
    const players = accounts(database.sql)
    for (const id of [randomUUID(), 'stranger', '', "'; drop table account", '\0']) {
      expect(await players.byId(id)).toBeUndefined()
      expect(await players.byUsername(id)).toBeUndefined()
      expect(await players.updatePassword(id, 'x')).toBeUndefined()
      expect(await players.endTokens(id)).toBeUndefined()
      expect(await players.updateRole(id, true)).toBeUndefined()
      expect(await players.updateShip(id, null)).toBeUndefined()
      expect(await players.delete(id)).toBe(false)
    }
  })

  it('an account flies one of its ships; one that goes leaves the next to be flown', async () => {
    const players = accounts(database.sql)
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    const { playerId: id } = await players.create(newAccount('Dallas', { shipId: first }))
    const { playerId: bare } = await players.create(newAccount('Kane'))
    expect(await players.addShip(bare, second, 3)).toBeUndefined()
    expect(await players.addShip(id, second, 3)).toMatchObject({ coastingShips: [second] })
    expect(await players.addShip(id, third, 2)).toBeUndefined()
    expect(await players.addShip(id, third, 3)).toMatchObject({ coastingShips: [second, third] })
    const flown = { shipId: third, coastingShips: [second, first] }
    expect(await players.flyShip(id, third.toUpperCase())).toMatchObject(flown)
    for (const [player, ship] of [
      [bare, first],
      [id, randomUUID()],
      [id, 'first'],
    ]) {
      expect(await players.flyShip(player, ship)).toBeUndefined()
    }
    expect(await players.flyShip(id, third)).toMatchObject(flown)
    const { accounts: found } = await players.page({ search: first, limit: 2 })
    expect(found).toMatchObject([{ playerId: id, ...flown }])
    const owners = [third, second, first].map((shipId) => ({ shipId, username: 'Dallas' }))
    expect(await shipOwners(database.sql)).toEqual(owners)
    expect(await players.dropShip(second)).toMatchObject({ shipId: third, coastingShips: [first] })
    expect(await players.dropShip(third)).toMatchObject({ shipId: first, coastingShips: [] })
    expect(await players.dropShip(first)).toMatchObject({ shipId: null, coastingShips: [] })
    expect(await players.dropShip(first)).toBeUndefined()
    await database.sql`delete from account`
  })
}
