// Law: a token of the issuer leads to one account for one subject; any other is refused naming its
// fault, and whatever comes, the keys are read once in a cooldown. Method: a real issuer.
import { openIssuer } from '@orrery/testkit'
import { afterAll, expect, test } from 'vitest'
import { createForeignIdentities } from '../../src/index.ts'

const issuer = await openIssuer()
const clock = { nowMs: 0, monotonicMs: () => clock.nowMs, utcMs: () => Date.now() }
const open = (cooldownMs = 0): ReturnType<typeof createForeignIdentities> =>
  createForeignIdentities(issuer.signIn, clock, cooldownMs)

afterAll(() => issuer.close())

test('an identity has one id, a UUID that is made of issuer and subject', async () => {
  const identities = open()
  const ida = await identities.playerId(issuer.token('ida'))
  expect(ida).toBe('19d1b866-1130-8d0f-8062-b0b89b42ecf6')
  expect(await identities.playerId(issuer.token('ida', { name: 'Other' }))).toBe(ida)
  expect(await identities.playerId(issuer.token('eva'))).not.toBe(ida)
})

test('any other token is refused, and its fault is named', async () => {
  const identities = open()
  const good = issuer.token('ida')
  const [header, payload, signature] = good.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const past = Math.floor(Date.now() / 1000) - 60
  issuer.rotate()
  const current = issuer.token('ida')
  const faults: readonly (readonly [string, RegExp])[] = [
    ['', /damaged/],
    ['x.y.z', /damaged/],
    [`${header}.${payload}`, /damaged/],
    [`${none}.${payload}.`, /none of the algorithms/],
    [issuer.token('ida', {}, { alg: 'HS256' }), /none of the algorithms/],
    [issuer.token('ida', { iss: 'https://other.example' }), /of another issuer/],
    [issuer.token('ida', { aud: 'other' }), /for another audience/],
    [issuer.token('ida', { aud: undefined }), /for another audience/],
    [issuer.token('ida', { exp: past }), /expired/],
    [issuer.token('ida', { exp: undefined }), /without a good claim exp/],
    [issuer.token('ida', { nbf: Date.now() }), /not good yet/],
    [issuer.token('ida', { sub: 7 }), /without a good subject/],
    [issuer.token(''), /without a good subject/],
    [issuer.token('i'.repeat(256)), /without a good subject/],
    [good, /that its issuer does not have/],
    [current.replace(/\.[^.]+$/, `.${signature}`), /changed since it was signed/],
    [issuer.token('ida', {}, { crit: ['b64'], b64: false }), /damaged/],
  ]
  for (const [token, message] of faults) {
    const refused = { code: 'E005', status: 401, message }
    await expect(identities.playerId(token)).rejects.toMatchObject(refused)
  }
  await identities.playerId(current)
})

test('a rotated key is read after a cooldown, within which foreign keys cost nothing', async () => {
  const identities = open(10_000)
  await identities.playerId(issuer.token('ida'))
  const before = issuer.reads()
  for (let i = 0; i < 20; i++) {
    const unknown = issuer.token('ida', {}, { kid: `other ${i}` })
    await expect(identities.playerId(unknown)).rejects.toMatchObject({ code: 'E005' })
  }
  expect(issuer.reads()).toBe(before)
})

test('while the keys cannot be read, the refusal says why, and they are tried once', async () => {
  const identities = open(10_000)
  const before = issuer.reads()
  issuer.answerWith((response) => response.writeHead(500).end())
  const ask = (): Promise<string> => identities.playerId(issuer.token('ida'))
  const refused = { code: 'E008', status: 503, retryAfterSeconds: 10, message: /answer is 500/ }
  for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject(refused)
  expect(issuer.reads()).toBe(before + 1)
  const answers = ['{', '[]', `{"keys":[],"padding":"${'x'.repeat(1 << 18)}"}`]
  for (const text of answers) {
    issuer.answerWith((response) => response.end(text))
    clock.nowMs += 10_000
    await expect(ask()).rejects.toMatchObject({ code: 'E008', status: 503 })
  }
  issuer.answerWith(undefined)
  clock.nowMs += 10_000
  await ask()
})
