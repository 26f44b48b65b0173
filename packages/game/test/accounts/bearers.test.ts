// Goal: a login gives the tokens that the account may have, and a token is good while its account
// is what it was. Method: accounts in a real database, changed after their tokens were issued.
import { SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { createPlayers } from '../../src/accounts/players.ts'
import { TOKEN_SECONDS, createTokens, tokenHash } from '../../src/accounts/tokens.ts'
import { applicant, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
await empty()
const game = await openTestGame(database)
const { accountChanges, records } = game
const { accounts, auditTrail, passwords } = records
const SECRET = Buffer.alloc(32, 1)
const NOW = 1_800_000_000
const tokens = createTokens(SECRET, () => 1000 * NOW)
const errors: unknown[] = []
const onError = (error: unknown): unknown => errors.push(error)
const players = createPlayers({
  accounts,
  accountChanges,
  tokens,
  passwords,
  auditTrail,
  onError,
  clock: game.clock,
})
const [chief] = await accounts.list()
const { playerId: admin } = chief

afterAll(() => game.crash())

test('a pilot gets a token of a player, an admin one of an admin as well', async () => {
  const { account, token } = await players.register('Ida', 'password')
  const login = await players.login(applicant('ida'), 'password', 'player')
  expect(login).toEqual({ account, token: expect.any(String), adminToken: undefined })
  const expiresAt = NOW + TOKEN_SECONDS
  expect(token).not.toBe(login.token)
  for (const each of [token, login.token]) {
    expect(await players.bearer(each, 'player')).toEqual({
      account,
      expiresAt,
      issuedAt: NOW,
      tokenHash: tokenHash(each),
    })
    expect(await players.bearer(each, 'admin')).toBe('invalid')
    const { shipId } = account
    expect(await tokens.claims(each, 'player')).toMatchObject({ shipId, generation: 0 })
  }
  for (const type of ['player', 'admin'] as const) {
    const { token: own, adminToken = '' } = await players.login(
      applicant('Chief'),
      'password',
      type,
    )
    expect(await players.bearer(own, 'player')).toMatchObject({ account: { playerId: admin } })
    expect(await players.bearer(adminToken, 'admin')).toMatchObject({ expiresAt })
    expect(await players.bearer(adminToken, 'player')).toBe('invalid')
    expect(await tokens.claims(own, 'player')).toMatchObject({ shipId: '' })
  }
})

test('a token that is shown notes a use of an account that never flew, once an hour', async () => {
  const { account, token } = await players.register('Idle', 'password')
  const { playerId } = account
  const since = async (): Promise<number> =>
    (await accounts.byId(playerId))?.unflownSince?.getTime() ?? NaN
  const made = await since()
  await players.bearer(token, 'player')
  await database.sql`
    update account set unflown_since = unflown_since - interval '2 hours'
    where player_id = ${playerId}`
  const noted = async (): Promise<boolean> => (await since()) >= made
  expect(await noted()).toBe(false)
  await players.bearer(token, 'player')
  await expect.poll(noted).toBe(true)
  expect(errors).toEqual([])
})

test('a pilot without a ship is refused, and that is no failed login', async () => {
  const { account } = await players.register('Max', 'password')
  await accounts.updateShip(account.playerId, null)
  const { loginsFailed } = players.counters()
  await expect(players.login(applicant('Max'), 'password', 'player')).rejects.toMatchObject({
    code: 'E003',
    status: 403,
    message: 'The account has no ship; an admin can assign one',
  })
  expect(players.counters().loginsFailed).toBe(loginsFailed)
})

test('a password reset ends tokens, and so does the end of a role or an account', async () => {
  const eva = await accountChanges.createAdmin(chief, 'Eva', 'password')
  const { token, adminToken = '' } = await players.login(applicant('Eva'), 'password', 'admin')
  await accountChanges.changeRole(chief, eva.playerId, false)
  expect(await players.bearer(adminToken, 'admin')).toBe('invalid')
  expect(await players.bearer(token, 'player')).toMatchObject({ account: { username: 'Eva' } })
  await accountChanges.changeRole(chief, eva.playerId, true)
  expect(await players.bearer(adminToken, 'admin')).toMatchObject({ account: { username: 'Eva' } })
  await accountChanges.resetPassword(chief, eva.playerId, 'password 2', 'admin')
  expect(await players.bearer(adminToken, 'admin')).toBe('invalid')
  expect(await players.bearer(token, 'player')).toBe('invalid')
  const next = await players.login(applicant('Eva'), 'password 2', 'admin')
  await accountChanges.removeOwn(eva)
  expect(await players.bearer(next.token, 'player')).toBe('gone')
  expect(await players.bearer(next.adminToken ?? '', 'admin')).toBe('gone')
})

test('a change of the own password ends all other tokens, again and again', async () => {
  const { account, token: first } = await players.register('Own', 'password 0')
  const { token: second } = await players.login(applicant('Own'), 'password 0', 'player')
  const good = async (): Promise<boolean[]> => {
    const found = [first, second].map((token) => players.bearer(token, 'player'))
    return (await Promise.all(found)).map((bearer) => typeof bearer !== 'string')
  }
  const change = (token: string, i: number): Promise<void> => {
    const actor = { ...account, tokenHash: tokenHash(token) }
    return accountChanges.changeOwnPassword(actor, `password ${i}`, `password ${i + 1}`)
  }
  expect(await good()).toEqual([true, true])
  await change(first, 0)
  await change(first, 1)
  expect(await good()).toEqual([true, false])
  const { token: third } = await players.login(applicant('Own'), 'password 2', 'player')
  await change(third, 2)
  expect(await good()).toEqual([false, false])
  expect(await players.bearer(third, 'player')).toMatchObject({ tokenHash: tokenHash(third) })
  await accountChanges.endOwnTokens(account)
  expect(await players.bearer(third, 'player')).toBe('invalid')
})

test('a token made elsewhere with the secret is judged by its time of issue', async () => {
  const { account } = await players.register('Tool', 'password')
  const claims = { sub: account.playerId, type: 'player', ship_id: '', exp: NOW + 60 }
  const judged = async (more: object): Promise<string | object> => {
    const token = new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256' })
    return players.bearer(await token.sign(SECRET), 'player')
  }
  expect(await judged({})).toMatchObject({ expiresAt: NOW + 60 })
  const changed = await accounts.updatePassword(account.playerId, '')
  const since = Math.floor((changed?.tokensFrom?.getTime() ?? NaN) / 1000)
  expect(await judged({ iat: since })).toMatchObject({ issuedAt: since })
  expect(await judged({ iat: since - 1 })).toBe('invalid')
  expect(await judged({})).toBe('invalid')
  expect(await judged({ generation: 1 })).toMatchObject({})
  expect(await judged({ generation: 0 })).toBe('invalid')
  expect(await players.bearer('no token', 'player')).toBe('invalid')
})

test('one of two who ask for a name at once gets it', async () => {
  const both = ['Kane', 'KANE'].map((name) => players.register(name, 'password'))
  expect(await Promise.allSettled(both)).toMatchObject([
    { status: 'fulfilled', value: { account: { username: 'Kane' } } },
    { status: 'rejected', reason: { code: 'E010' } },
  ])
})
