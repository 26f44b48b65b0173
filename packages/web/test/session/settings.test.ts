// Law: what a player has chosen holds at the next visit, and whatever the storage holds, each
// setting has one of its values.
import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { units } from '../../src/quantities/quantities.ts'
import { CHOICES, type SettingName, createSettings } from '../../src/session/settings.ts'
import type { Kept } from '../../src/storage/kept-settings.ts'

function storage(text?: string): NonNullable<Kept> {
  const kept = new Map(text === undefined ? [] : [['orrery.settings', text]])
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  }
}

const NAMES = Object.keys(CHOICES) as SettingName[]

function values(settings: ReturnType<typeof createSettings>): Record<string, unknown> {
  return Object.fromEntries(NAMES.map((name) => [name, settings[name].value]))
}

const FIRST = Object.fromEntries(NAMES.map((name) => [name, CHOICES[name][0]]))

test('what is chosen is kept, and reset takes the first values', () => {
  const kept = storage()
  const settings = createSettings(kept, signal(false))
  expect(values(settings)).toEqual(FIRST)
  settings.quality.value = 'high'
  settings.units.value = 'nautical'
  settings.trails.value = false
  expect(units.value).toBe('nautical')
  units.value = 'metric'
  settings.units.value = 'nautical'
  const again = createSettings(kept, signal(false))
  const chosen = { ...FIRST, quality: 'high', units: 'nautical', trails: false }
  expect(values(again)).toEqual(chosen)
  expect(units.value).toBe('nautical')
  again.reset()
  expect(values(createSettings(kept, signal(false)))).toEqual(FIRST)
})

test('the camera is calm by choice, or as the system asks', () => {
  const prefersCalm = signal(false)
  const settings = createSettings(undefined, prefersCalm)
  const { motion, isCalm } = settings
  const found: boolean[] = []
  for (const choice of CHOICES.motion) {
    motion.value = choice
    for (const prefers of [false, true]) {
      prefersCalm.value = prefers
      found.push(isCalm.value)
    }
  }
  expect(found).toEqual([false, true, true, true, false, false])
  settings.reset()
})

test('a lent value is not kept, and another that is chosen is', () => {
  const kept = storage()
  const settings = createSettings(kept, signal(false))
  settings.lend('labels', false)
  settings.lend('orbits', false)
  expect([settings.labels.value, settings.orbits.value]).toEqual([false, false])
  expect(values(createSettings(kept, signal(false)))).toEqual(FIRST)
  settings.labels.value = true
  settings.labels.value = false
  expect(values(createSettings(kept, signal(false)))).toEqual({ ...FIRST, labels: false })
})

test.each(['{', 'null', '[]', '7', '{"quality":"best","labels":0,"units":null}'])(
  'a storage with %s has the first values',
  (text) => {
    expect(values(createSettings(storage(text), signal(false)))).toEqual(FIRST)
  },
)

test('a storage that is full keeps nothing, and the choice holds', () => {
  const full: Kept = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  const settings = createSettings(full, signal(false))
  settings.quality.value = 'low'
  expect(settings.quality.value).toBe('low')
})

test('values that were kept hold, though the page is a later one', () => {
  const text = '{"quality":"low","units":"nautical","motion":"calm","labels":false}'
  const { quality, units: chosen, motion, labels } = createSettings(storage(text), signal(false))
  expect([quality.value, chosen.value, motion.value, labels.value]).toEqual([
    'low',
    'nautical',
    'calm',
    false,
  ])
  units.value = 'metric'
})
