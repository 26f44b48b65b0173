/** What the player can do by a key, by name: for keyboards, gamepads, and the list of keys. */
import { type ReadonlySignal, computed, signal } from '@preact/signals'
import { ownKeys } from './own-keys.ts'

export interface Action {
  /** such as `flight.prograde` */
  readonly name: string
  /** heading that it is listed below, such as `Flight` */
  readonly group: string
  /**
   * Each a place as `KeyboardEvent.code`, or a sign or name as `KeyboardEvent.key`; those that the
   * player has given to its name take their place.
   */
  readonly keys: readonly string[]
  /** what it does, such as `points prograde` */
  readonly words: string
  act(): void
  /** ends it when the key goes up */
  readonly release?: () => void
  /** it acts again while the key stays down */
  readonly repeats?: boolean
  readonly isAvailable?: () => boolean
}

export type PressedKey = Pick<KeyboardEvent, 'key' | 'code'>

export interface Actions {
  readonly all: ReadonlySignal<readonly Action[]>
  /** Adds actions; returns how to take them away. */
  register(added: readonly Action[]): () => void
  /** The action of a key that is available; the latest counts. */
  ofKey(pressed: PressedKey): Action | undefined
  named(name: string): Action | undefined
}

export function createActions(): Actions {
  const registered = signal<readonly Action[]>([])
  const all = computed(() =>
    registered.value.map((action) => {
      const keys = ownKeys.value[action.name]
      return keys ? { ...action, keys } : action
    }),
  )
  const available = (): readonly Action[] =>
    all.value.filter(({ isAvailable }) => isAvailable?.() ?? true)
  return {
    all,
    register: (added) => {
      registered.value = [...registered.value, ...added]
      return () => {
        registered.value = registered.value.filter((action) => !added.includes(action))
      }
    },
    ofKey: (pressed) => actionOfKey(available(), pressed),
    named: (name) => available().findLast((action) => action.name === name),
  }
}

/** The latest action of a key: letters and digits go by the place, other keys by the sign first. */
export function actionOfKey(all: readonly Action[], pressed: PressedKey): Action | undefined {
  const place = placeOf(pressed)
  const byPlace = all.findLast(({ keys }) => keys.includes(place))
  const bySign = all.findLast(({ keys }) => keys.includes(pressed.key))
  // On a French keyboard the minus sign is on the digit 6.
  return /^(?:Key|Digit)/.test(place) ? (byPlace ?? bySign) : (bySign ?? byPlace)
}

/** Screen keyboards give no place: theirs is that of the letter on a US keyboard. */
function placeOf({ key, code }: PressedKey): string {
  if (code !== '') return code
  return /^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`
}
