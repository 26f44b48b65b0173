// Goal: an account is kept as long as its token can be good, whatever the browser's storage holds.
import { expect, test } from 'vitest'
import { createAccountStore } from '../../src/session/account.ts'
import { proposedName } from '../../src/session/proposed-name.ts'

const EXPIRY_S = 1_800_000_000
const HOUR_MS = 3_600_000

const claims = btoa(JSON.stringify({ exp: EXPIRY_S }))
const account = { username: 'Ida', token: `head.${claims}.tail`, shipId: 'an-id' }

function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  } as Partial<Storage> as Storage
}

test('what is kept is read until it is forgotten', () => {
  const store = createAccountStore(storage())
  expect(store.read(0)).toBeUndefined()
  store.keep(account)
  expect(store.read(0)).toEqual({ ...account, hasExpired: false })
  store.forget()
  expect(store.read(0)).toBeUndefined()
})

test('a token expires, but not for a clock that is an hour fast', () => {
  const store = createAccountStore(storage())
  store.keep(account)
  const expiryMs = EXPIRY_S * 1000
  expect(store.read(expiryMs + HOUR_MS)?.hasExpired).toBe(false)
  expect(store.read(expiryMs + 3 * HOUR_MS)?.hasExpired).toBe(true)
  expect(store.read(expiryMs + 2 * HOUR_MS - 1)?.hasExpired).toBe(false)
  expect(store.read(expiryMs + 2 * HOUR_MS)?.hasExpired).toBe(true)
})

test('claims are read as tokens write them, and others have expired', () => {
  const store = createAccountStore(storage())
  const expired = (claims: unknown): boolean | undefined => {
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
    store.keep({ ...account, token: `head.${text}.tail` })
    return store.read(0)?.hasExpired
  }
  // Both signs that base64url has of its own.
  expect(expired({ exp: EXPIRY_S, name: '~~~???>>>' })).toBe(false)
  expect(expired({ exp: String(EXPIRY_S) })).toBe(true)
  expect(expired({})).toBe(true)
  store.keep({ ...account, token: 'no token' })
  expect(store.read(0)?.hasExpired).toBe(true)
})

test('a full storage keeps nothing', () => {
  const full = storage()
  full.setItem = () => {
    throw new Error('full')
  }
  const store = createAccountStore(full)
  store.keep(account)
  expect(store.read(0)).toBeUndefined()
})

test.each(['', 'null', '[]', '{"username":"Ida"}', '{"username":1,"token":2,"shipId":3}', '{'])(
  'a storage with %j has no account',
  (text) => {
    const kept = storage()
    kept.setItem('orrery.account', text)
    expect(createAccountStore(kept).read(0)).toBeUndefined()
  },
)

test('without a storage nothing is kept', () => {
  const store = createAccountStore(undefined)
  store.keep(account)
  expect(store.read(0)).toBeUndefined()
})

test('proposed names are such as the server takes', () => {
  expect(proposedName(() => 0.5)).toBe('Early_Meridian_550')
  for (let random = 0; random < 1; random += 1 / 18) {
    expect(proposedName(() => random)).toMatch(/^(?=.{3,20}$)[A-Z][a-z]+_[A-Z][a-z]+_\d{3}$/)
  }
  for (let words = 0; words < 81; words++) {
    const drawn = [(Math.floor(words / 9) + 0.5) / 9, ((words % 9) + 0.5) / 9, 0.5]
    expect(proposedName(() => drawn.shift() ?? NaN).length).toBeLessThanOrEqual(20)
  }
  expect(proposedName(() => 0)).toMatch(/_100$/)
  expect(proposedName(() => 1 - 2 ** -53)).toMatch(/_999$/)
})
