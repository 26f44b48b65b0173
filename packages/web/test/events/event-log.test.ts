// Law: the log of an account is there again at its next session in the era, in any tab, and is
// never that of another account. Method: one storage, of which each log is another tab.
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type EventLog, type LogEntry, createEventLog } from '../../src/session/event-log.ts'
import type { Kept } from '../../src/storage/kept-settings.ts'

function storage(text?: string): NonNullable<Kept> {
  let kept = text ?? null
  return { getItem: () => kept, setItem: (_, value) => void (kept = value) }
}

function entry(text: string, ms = Date.UTC(2026, 10, 27)): LogEntry {
  return { ms, kind: 'event', text }
}

function opened(kept: Kept, account: string, era = 0): EventLog {
  const log = createEventLog(kept)
  log.open(account, era)
  return log
}

test('another tab and another session have the same lines', () => {
  const kept = storage()
  const first = opened(kept, 'Ida')
  for (const text of ['one', 'two']) first.add(entry(text))
  expect(opened(kept, 'Ida').entries.value).toEqual([entry('two'), entry('one')])
  first.close()
  expect(first.entries.value).toEqual([])
  first.open('Ida', 0)
  expect(first.entries.value).toHaveLength(2)
})

test('another account and another era have logs of their own', () => {
  const kept = storage()
  const log = opened(kept, 'Ida')
  log.add(entry('of Ida'))
  log.open('Max', 0)
  expect(log.entries.value).toEqual([])
  log.add(entry('of Max'))
  log.open('Ida', 0)
  expect(log.entries.value).toEqual([entry('of Ida')])
  log.open('Ida', 1)
  expect(log.entries.value).toEqual([])
})

/** More than are kept. */
const LINES = byTier({ gate: 203, night: 250 })

test('what is kept is bounded', () => {
  let size = 0
  const { getItem, setItem } = storage()
  const kept: Kept = {
    getItem,
    setItem: (key, text) => {
      size = text.length
      setItem(key, text)
    },
  }
  for (let account = 0; account < 9; account++) {
    const log = opened(kept, `Pilot_${account}`)
    for (let line = 0; line < LINES; line++) log.add(entry('x'.repeat(100)))
    expect(log.entries.value).toHaveLength(200)
  }
  expect(size).toBeLessThan(4 * 200 * 200)
  const lines = [4, 5, 8].map((account) => opened(kept, `Pilot_${account}`).entries.value.length)
  expect(lines).toEqual([0, 200, 200])
})

test.each([
  '{',
  'null',
  '{}',
  '[null]',
  '[{"account":"Ida","era":0,"entries":[{"ms":1e99,"kind":"event","text":"x"}]}]',
  '[{"account":"Ida","era":0,"entries":7}]',
  '[{"account":"Ida","era":0.5,"entries":[]}, {"account":1,"era":0,"entries":[]}]',
  '[{"account":"Ida","era":0,"entries":[{"ms":"0","kind":"event","text":"x"}]}]',
  '[{"account":"Ida","era":0,"entries":[{"ms":0,"kind":"event","text":7}]}]',
  '[{"account":"Ida","era":0,"entries":[{"ms":0,"kind":"other","text":"x"}]}]',
])('a storage with %s has no log, and takes one', (text) => {
  const kept = storage(text)
  const log = opened(kept, 'Ida')
  expect(log.entries.value).toEqual([])
  log.add(entry('one'))
  expect(opened(kept, 'Ida').entries.value).toEqual([entry('one')])
})

test('without a storage, or with a full one, the lines of now are shown', () => {
  const full: Kept = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  for (const kept of [undefined, full]) {
    const log = opened(kept, 'Ida')
    log.add(entry('one'))
    expect(log.entries.value).toEqual([entry('one')])
  }
})
