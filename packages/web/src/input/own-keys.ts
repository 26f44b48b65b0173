/** Keys that the player has given to actions; the browser keeps them. */
import { type Signal, effect, signal } from '@preact/signals'
import type { Kept } from '../storage/kept-settings.ts'

/** Keys by the name of their action, in place of its first ones. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>

const KEY = 'orrery.keys'

export const ownKeys: Signal<OwnKeys> = signal({})

/** Takes up the keys that are kept; returns how to keep no further ones. */
export function keepOwnKeys(kept: Kept): () => void {
  ownKeys.value = read(kept)
  return effect(() => {
    const text = JSON.stringify(ownKeys.value)
    try {
      kept?.setItem(KEY, text)
    } catch {
      // A full storage: they hold until the page is left.
    }
  })
}

/** Those that can be read. */
function read(kept: Kept): OwnKeys {
  try {
    const entries: [string, unknown][] = Object.entries(JSON.parse(kept?.getItem(KEY) ?? '{}'))
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string[]] => {
        const [, keys] = entry
        return Array.isArray(keys) && keys.every((key) => typeof key === 'string')
      }),
    )
  } catch {
    return {}
  }
}
