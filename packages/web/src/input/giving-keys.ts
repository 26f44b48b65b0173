/** Gives keys to actions: what may be given, and what it takes from others. */
import { type Action, type PressedKey, actionOfKey } from './actions.ts'
import type { OwnKeys } from './own-keys.ts'

/** Keys that browsers, dialogs and buttons need. */
const OF_BROWSERS = /^(?:Escape|Tab|Enter| |ContextMenu|F\d+)$/
/** Keys that give no sign of their own. */
const SIGNLESS = /^(?:Alt|AltGraph|Meta|CapsLock|NumLock|Dead|Process|Unidentified)$/

/** A key as actions name it: letters and digits by place; undefined for one to leave alone. */
export function keyToGive({ key, code }: PressedKey): string | undefined {
  if (/^(?:Key[A-Z]|Digit\d)$/.test(code)) return code
  return OF_BROWSERS.test(key) || SIGNLESS.test(key) ? undefined : key
}

/** The other action that a key does by now. */
export function holderOf(
  all: readonly Action[],
  action: Action,
  pressed: PressedKey,
): Action | undefined {
  const holder = actionOfKey(all, pressed)
  return holder?.name === action.name ? undefined : holder
}

/** An action does it by this key alone, and no other action by it. */
export function withKey(
  own: OwnKeys,
  all: readonly Action[],
  action: Action,
  pressed: PressedKey,
): OwnKeys {
  const key = keyToGive(pressed)
  if (key === undefined) return own
  const holder = holderOf(all, action, pressed)
  const left = holder?.keys.filter((one) => !actionOfKey([{ ...holder, keys: [one] }], pressed))
  return { ...own, ...(holder && { [holder.name]: left ?? [] }), [action.name]: [key] }
}
