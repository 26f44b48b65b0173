// Goal: a login gives the tokens that the account may have, and a token is good while its account
// is what it was. Method: accounts in a real database, changed after their tokens were issued.
import { SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { createPlayers } from '../src/accounts/players.ts'
import { TOKEN_SECONDS, createTokens } from '../src/accounts/tokens.ts'
import { applicant, openGameDatabase, openTestGame } from './game-fixture.ts'

const { database, empty } = await openGameDatabase()
await empty()
const game = await openTestGame(database)
const { accountChanges, records } = game
const { accounts, passwords } = records
const SECRET = Buffer.alloc(32, 1)
const NOW = 1_800_000_000
const tokens = createTokens(SECRET, () => 1000 * NOW)
const players = createPlayers({ accounts, accountChanges, tokens, passwords })
const [{ playerId: admin }] = await accounts.list()

afterAll(() => game.crash())

test('a pilot gets a token of a player, an admin one of an admin as well', async () => {
  const { account, token } = await players.register('Ida', 'password')
  const login = await players.login(applicant('ida'), 'password', 'player')
  expect(login).toEqual({ account, token: expect.any(String), adminToken: undefined })
  const expiresAt = NOW + TOKEN_SECONDS
  for (const each of [token, login.token]) {
    expect(await players.bearer(each, 'player')).toEqual({ account, expiresAt })
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
  const eva = await accountChanges.createAdmin(admin, 'Eva', 'password')
  const { token, adminToken = '' } = await players.login(applicant('Eva'), 'password', 'admin')
  await accountChanges.changeRole(admin, eva.playerId, false)
  expect(await players.bearer(adminToken, 'admin')).toBe('invalid')
  expect(await players.bearer(token, 'player')).toMatchObject({ account: { username: 'Eva' } })
  await accountChanges.changeRole(admin, eva.playerId, true)
  expect(await players.bearer(adminToken, 'admin')).toMatchObject({ account: { username: 'Eva' } })
  await accountChanges.resetPassword(admin, eva.playerId, 'password 2', 'admin')
  expect(await players.bearer(adminToken, 'admin')).toBe('invalid')
  expect(await players.bearer(token, 'player')).toBe('invalid')
  const next = await players.login(applicant('Eva'), 'password 2', 'admin')
  await accountChanges.removeOwn(eva.playerId)
  expect(await players.bearer(next.token, 'player')).toBe('gone')
  expect(await players.bearer(next.adminToken ?? '', 'admin')).toBe('gone')
})

test('a token made elsewhere with the secret needs no generation', async () => {
  const { account } = await players.register('Tool', 'password')
  await accounts.updatePassword(account.playerId, '', { raiseGeneration: true })
  const claims = { sub: account.playerId, type: 'player', ship_id: '', exp: NOW + 60 }
  const signed = (more: object): Promise<string> =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256' }).sign(SECRET)
  expect(await players.bearer(await signed({}), 'player')).toMatchObject({ expiresAt: NOW + 60 })
  expect(await players.bearer(await signed({ generation: 1 }), 'player')).toMatchObject({})
  expect(await players.bearer(await signed({ generation: 0 }), 'player')).toBe('invalid')
  expect(await players.bearer('no token', 'player')).toBe('invalid')
})

test('one of two who ask for a name at once gets it', async () => {
  const both = ['Kane', 'KANE'].map((name) => players.register(name, 'password'))
  expect(await Promise.allSettled(both)).toMatchObject([
    { status: 'fulfilled', value: { account: { username: 'Kane' } } },
    { status: 'rejected', reason: { code: 'E010' } },
  ])
})
