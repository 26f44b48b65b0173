/** What the player has chosen of how the page looks; the browser keeps it. */
import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals'
import { units } from '../quantities/quantities.ts'
import { type Kept, keepSettings, keptSettings } from '../storage/kept-settings.ts'

/** The values of each choice, the first of which holds until another is taken. */
export const CHOICES = {
  language: ['auto', 'en', 'de'],
  quality: ['auto', 'low', 'high'],
  units: ['metric', 'nautical'],
  motion: ['system', 'calm', 'full'],
  labels: [true, false],
  orbits: [true, false],
  trails: [true, false],
  signs: [true, false],
  constellations: [false, true],
  alarms: [false, true],
  sound: [false, true],
} as const

export type SettingName = keyof typeof CHOICES
type Value<Name extends SettingName> = (typeof CHOICES)[Name][number]

export type Settings = {
  readonly [Name in SettingName]: Signal<Value<Name>>
} & {
  /** whether the camera jumps instead of flying */
  readonly isCalm: ReadonlySignal<boolean>
  /** takes a value that is not kept, until another is chosen */
  lend<Name extends SettingName>(name: Name, value: Value<Name>): void
  /** takes all first values */
  reset(): void
}

/** @param prefersCalm  whether the system asks for less motion */
export function createSettings(kept: Kept, prefersCalm: ReadonlySignal<boolean>): Settings {
  const stored = keptSettings(kept)
  const first = <Name extends SettingName>(name: Name): Value<Name> => {
    const values: readonly unknown[] = CHOICES[name]
    return (values.includes(stored[name]) ? stored[name] : values[0]) as Value<Name>
  }
  units.value = first('units')
  const chosen = {
    language: signal(first('language')),
    quality: signal(first('quality')),
    units,
    motion: signal(first('motion')),
    labels: signal(first('labels')),
    orbits: signal(first('orbits')),
    trails: signal(first('trails')),
    signs: signal(first('signs')),
    constellations: signal(first('constellations')),
    alarms: signal(first('alarms')),
    sound: signal(first('sound')),
  }
  /** own values of those that hold a lent one */
  const owned = new Map<string, { readonly lent: unknown; readonly own: unknown }>()
  const lend: Settings['lend'] = (name, lent) => {
    const setting: Signal<unknown> = chosen[name]
    owned.set(name, { lent, own: owned.get(name)?.own ?? setting.peek() })
    setting.value = lent
  }
  effect(() => {
    const values = Object.entries(chosen).map(([name, { value }]) => {
      const one = owned.get(name)
      if (one?.lent === value) return [name, one.own]
      owned.delete(name)
      return [name, value]
    })
    keepSettings(kept, Object.fromEntries(values))
  })
  const isCalm = computed(() => {
    const { value } = chosen.motion
    return value === 'calm' || (value === 'system' && prefersCalm.value)
  })
  const reset = (): void => {
    for (const [name, one] of Object.entries(chosen)) {
      one.value = CHOICES[name as SettingName][0]
    }
  }
  return { ...chosen, isCalm, lend, reset }
}

/** Whether the system asks for less motion, now and later. */
export function motionPreference(): ReadonlySignal<boolean> {
  const query = matchMedia('(prefers-reduced-motion: reduce)')
  const prefers = signal(query.matches)
  query.addEventListener('change', () => (prefers.value = query.matches))
  return prefers
}
