/** What the player can do by a key, by name: for keyboards, gamepads, and the list of keys. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Action {
  /** such as `flight.prograde` */
  readonly name: string
  /** heading that it is listed below, such as `Flight` */
  readonly group: string
  /** each as `KeyboardEvent.key` in lower case */
  readonly keys: readonly string[]
  /** what it does, such as `points prograde` */
  readonly words: string
  act(): void
  /** ends it when the key goes up */
  readonly release?: () => void
  /** it acts again while the key stays down */
  readonly repeats?: boolean
  /** other controls use these keys: they act only while the picture has the focus */
  readonly isOfPicture?: boolean
  readonly isAvailable?: () => boolean
}

export interface Actions {
  readonly all: ReadonlySignal<readonly Action[]>
  /** Adds actions; returns how to take them away. */
  register(added: readonly Action[]): () => void
  /** The action of a key that is available; the latest counts. */
  ofKey(key: string): Action | undefined
  named(name: string): Action | undefined
}

export function createActions(): Actions {
  const all = signal<readonly Action[]>([])
  const found = (matches: (action: Action) => boolean): Action | undefined =>
    all.value.findLast((action) => matches(action) && (action.isAvailable?.() ?? true))
  return {
    all,
    register: (added) => {
      all.value = [...all.value, ...added]
      return () => {
        all.value = all.value.filter((action) => !added.includes(action))
      }
    },
    ofKey: (key) => found(({ keys }) => keys.includes(key)),
    named: (name) => found((action) => action.name === name),
  }
}

/** Those of the page. */
export const actions: Actions = createActions()

const KEY_NAMES: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  control: 'Ctrl',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  ' ': 'Space',
}

/** A key as it is written on keyboards. */
export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key.charAt(0).toUpperCase() + key.slice(1)
}
