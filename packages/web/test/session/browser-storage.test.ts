// Laws: what the page keeps in one storage does not mix, and a browser that refuses one is none;
// the page follows what the system asks for.
import { signal } from '@preact/signals'
import { afterEach, expect, test, vi } from 'vitest'
import { createAccountStore } from '../../src/session/account.ts'
import { createEventLog } from '../../src/session/event-log.ts'
import { CHOICES, createSettings, motionPreference } from '../../src/session/settings.ts'
import { browserStorage } from '../../src/storage/kept-settings.ts'

const EXPIRY_S = 1_800_000_000
const ACCOUNT = { username: 'Ida', token: 'a.b.c', shipId: 'an-id' }

function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  } as Partial<Storage> as Storage
}

afterEach(() => vi.unstubAllGlobals())

test('the account, the settings and the log are read as they were kept', () => {
  const kept = storage()
  const entry = { ms: 7, kind: 'order', text: 'Point prograde' } as const
  const accounts = createAccountStore(kept)
  const settings = createSettings(kept, signal(false))
  const log = createEventLog(kept)
  log.open('Ida', 1)
  accounts.keep(ACCOUNT)
  settings.quality.value = 'high'
  log.add(entry)
  expect(createAccountStore(kept).read(0)).toMatchObject(ACCOUNT)
  expect(createSettings(kept, signal(false)).quality.value).toBe('high')
  const again = createEventLog(kept)
  again.open('Ida', 1)
  expect(again.entries.value).toEqual([entry])
  expect(['account', 'settings', 'logs'].map((name) => kept.getItem(`orrery.${name}`))).toEqual(
    Array(3).fill(expect.any(String)),
  )
  accounts.forget()
  expect(kept.getItem('orrery.settings')).toContain('high')
  settings.reset()
})

test('a setting that was kept by its name and value is taken', () => {
  const values = {
    quality: ['auto', 'low', 'high'],
    units: ['metric', 'nautical'],
    motion: ['system', 'calm', 'full'],
  } as const
  const kept = storage()
  for (const [name, ofName] of Object.entries(values)) {
    for (const value of ofName) {
      kept.setItem('orrery.settings', JSON.stringify({ [name]: value }))
      const settings = createSettings(kept, signal(false))
      expect(settings[name as keyof typeof values].value).toBe(value)
    }
  }
  expect(CHOICES).toMatchObject(values)
  createSettings(undefined, signal(false)).reset()
})

test('the logs of the last four accounts are kept', () => {
  const kept = storage()
  const lines = (account: string): number => {
    const log = createEventLog(kept)
    log.open(account, 1)
    return log.entries.value.length
  }
  const accounts = ['a', 'b', 'c', 'd', 'e']
  for (const account of accounts) {
    const log = createEventLog(kept)
    log.open(account, 1)
    log.add({ ms: 7, kind: 'event', text: 'one' })
  }
  expect(accounts.map(lines)).toEqual([0, 1, 1, 1, 1])
})

test('a log that is open stays as it is when it is opened again', () => {
  const log = createEventLog(undefined)
  log.open('Ida', 1)
  log.add({ ms: 7, kind: 'event', text: 'one' })
  log.open('Ida', 1)
  expect(log.entries.value).toHaveLength(1)
})

test('a log of more lines than are kept is none of this page', () => {
  const kept = storage()
  const lines = (count: number): string => {
    const entry = { ms: 7, kind: 'event', text: 'one' }
    const entries = Array.from({ length: count }, () => entry)
    return JSON.stringify([{ account: 'Ida', era: 1, entries }])
  }
  const read = (text: string): number => {
    kept.setItem('orrery.logs', text)
    const log = createEventLog(kept)
    log.open('Ida', 1)
    return log.entries.value.length
  }
  expect([200, 201].map((count) => read(lines(count)))).toEqual([200, 0])
  expect(read(lines(1).replace('"era":1', '"era":"1"'))).toBe(0)
  expect(read(lines(1).replace('"ms":7', '"ms":"7"'))).toBe(0)
  expect(read(lines(1).replace('"text":"one"', '"text":1'))).toBe(0)
})

test('a token is read in the alphabet of addresses', () => {
  const store = createAccountStore(storage())
  const claims = btoa(JSON.stringify({ name: '\u00ff\u00bf>>?', exp: EXPIRY_S }))
  expect(claims).toMatch(/\+.*\/|\/.*\+/)
  const safe = claims.replaceAll('+', '-').replaceAll('/', '_')
  store.keep({ ...ACCOUNT, token: `head.${safe}.tail` })
  // The clock of the browser may be two hours fast.
  const lastMs = 1000 * EXPIRY_S + 2 * 3_600_000
  expect(store.read(lastMs - 1)?.hasExpired).toBe(false)
  expect(store.read(lastMs)?.hasExpired).toBe(true)
  store.keep({ ...ACCOUNT, token: `head.${btoa('{"exp":"never"}')}.tail` })
  expect(store.read(0)?.hasExpired).toBe(true)
})

test('a full storage or none keeps no account, and says so', () => {
  const full = storage()
  full.setItem = () => {
    throw new Error('full')
  }
  const store = createAccountStore(full)
  expect(store.keep(ACCOUNT)).toBe(false)
  expect(createAccountStore(undefined).keep(ACCOUNT)).toBe(false)
  expect(createAccountStore(storage()).keep(ACCOUNT)).toBe(true)
  expect(store.read(0)).toBeUndefined()
})

test('the storage of the browser is its own, or none where it is refused', () => {
  const kept = storage()
  vi.stubGlobal('localStorage', kept)
  expect(browserStorage()).toBe(kept)
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('refused')
    },
  })
  expect(browserStorage()).toBeUndefined()
})

test('whether the system asks for less motion is known at once and when it changes', () => {
  const query = new (class extends EventTarget {
    matches = true
  })()
  const asked: string[] = []
  vi.stubGlobal('matchMedia', (text: string) => (asked.push(text), query))
  const prefers = motionPreference()
  expect([asked, prefers.value]).toEqual([['(prefers-reduced-motion: reduce)'], true])
  query.matches = false
  query.dispatchEvent(new Event('change'))
  expect(prefers.value).toBe(false)
})
