/** Keys as they are written on the keyboard at hand. */
import { signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import { type Action, actionOfKey } from './actions.ts'
import { ownKeys } from './own-keys.ts'

const KEY_NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Control: say('Ctrl'),
  PageUp: say('Page Up'),
  PageDown: say('Page Down'),
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Equal: '=',
  Minus: '-',
  Period: '.',
}

/** Only some browsers have it. */
interface KeyboardWithLayout {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

const layout = signal<ReadonlyMap<string, string>>(new Map())

/** Reads the layout of the keyboard, where the browser gives it. */
export async function readLayout(): Promise<void> {
  const { keyboard } = navigator as { readonly keyboard?: KeyboardWithLayout }
  // Without permission for it, names are those of a US keyboard.
  layout.value = (await keyboard?.getLayoutMap().catch(() => undefined)) ?? new Map()
}

/** The name of a key of an action. */
export function keyName(key: string): string {
  const letter = /^(?:Key|Digit)(.)$/.exec(key)?.[1]
  const written = layout.value.get(key)
  return written?.toUpperCase() ?? letter ?? KEY_NAMES[key] ?? key
}

/** The name of the key that does an action now; `first` is the one that does it at first. */
export function keyOf(action: string, first: string): string {
  const [key] = ownKeys.value[action] ?? [first]
  return key === undefined ? '—' : keyName(key)
}

/** Names of the keys that do an action, without those that do another one on this keyboard. */
export function keyNames(action: Action, all: readonly Action[]): readonly string[] {
  const written = [...layout.value]
  const isOwn = (key: string): boolean => {
    const [code = key] = written.find(([, sign]) => sign === key) ?? []
    const pressed = { code, key: layout.value.get(key) ?? key }
    return actionOfKey(all, pressed) === action
  }
  return [...new Set(action.keys.filter(isOwn).map(keyName))]
}
