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
  store.keep({ ...account, token: 'no token' })
  expect(store.read(0)?.hasExpired).toBe(true)
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
  for (const random of [0, 0.25, 0.5, 0.75, 1 - 2 ** -53]) {
    expect(proposedName(() => random)).toMatch(/^[A-Za-z0-9_]{3,20}$/)
  }
})
