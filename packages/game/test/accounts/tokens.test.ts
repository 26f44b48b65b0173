// Law: a token is good for its bearer, its type and a day; whatever is wrong with it, it has no
// claims. Method: tokens made by the game, and by hand with the same and with other secrets.
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { environmentAdmin } from '../../src/accounts/environment-admin.ts'
import { TOKEN_SECONDS, createTokens } from '../../src/accounts/tokens.ts'

const SECRET = Buffer.alloc(64, 7)
const NOW = 1_800_000_000
const PILOT = { id: 'pilot', shipId: 'ship', generation: 3 }

let nowMs = 1000 * NOW
const tokens = createTokens(SECRET, () => nowMs)

test('a token holds its bearer and is valid for a day', async () => {
  nowMs = 1000 * NOW
  const token = await tokens.player(PILOT)
  const expiresAt = NOW + TOKEN_SECONDS
  const life = { issuedAt: NOW, expiresAt }
  const claims = { sub: 'pilot', type: 'player', shipId: 'ship', generation: 3, ...life }
  expect(await tokens.claims(token, 'player')).toEqual(claims)
  expect(await tokens.claims(token, 'admin')).toBeUndefined()
  nowMs = 1000 * (expiresAt - 1)
  expect(await tokens.claims(token, 'player')).toEqual(claims)
  nowMs = 1000 * expiresAt
  expect(await tokens.claims(token, 'player')).toBeUndefined()
})

function signed(claims: Record<string, unknown>, secret: Uint8Array = SECRET): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
}

test('only the claims that the game makes are claims', async () => {
  nowMs = 1000 * NOW
  const good = { sub: 'pilot', type: 'player', ship_id: '', exp: NOW + 60 }
  const { exp: _, ...endless } = good
  const { ship_id: __, ...shipless } = good
  const { sub: ___, ...nameless } = good
  const claims = { sub: 'pilot', type: 'player', shipId: '', expiresAt: NOW + 60 }
  expect(await tokens.claims(await signed(good), 'player')).toEqual(claims)
  const broken = [
    signed(good, Buffer.alloc(32, 8)),
    signed(endless),
    signed(shipless),
    signed(nameless),
    signed({ ...good, type: 'spectator' }),
    signed({ ...good, generation: '3' }),
    new SignJWT(good).setProtectedHeader({ alg: 'HS512' }).sign(SECRET),
    'no token',
  ]
  for (const [i, token] of broken.entries()) {
    expect(await tokens.claims(await token, 'player'), `token ${i}`).toBeUndefined()
  }
})

test("the environment's admin has the same id whatever the case of the name", async () => {
  const passwords = { hash: () => Promise.resolve('hash'), verify: () => Promise.resolve(false) }
  const made = await Promise.all(
    ['Chief', 'CHIEF', 'Other'].map((username) =>
      environmentAdmin({ ...passwords, waiting: () => 0 }, { username, password: 'password' }),
    ),
  )
  const [first, second, other] = made.map((account) => account?.playerId)
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(second).toBe(first)
  expect(other).not.toBe(first)
  expect(await environmentAdmin({ ...passwords, waiting: () => 0 }, undefined)).toBeUndefined()
})
