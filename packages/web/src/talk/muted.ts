/** Ships whose pilots are not heard; the browser keeps them. */
import { type Signal, effect, signal } from '@preact/signals'
import type { Kept } from '../storage/kept-settings.ts'

/** Names by the ids of the ships. */
export type Muted = ReadonlyMap<string, string>

const KEY = 'orrery.muted'

/** The oldest beyond these is heard again. */
const MUTED_MAX = 200

/** Those that are kept, and from now on each change of them. */
export function createMuted(kept: Kept): Signal<Muted> {
  const muted = signal<Muted>(new Map(stored(kept)))
  effect(() => {
    const latest = [...muted.value].slice(-MUTED_MAX)
    try {
      kept?.setItem(KEY, JSON.stringify(latest))
    } catch {
      // A full storage: it holds until the page is left.
    }
  })
  return muted
}

/** None where that is not what is stored. */
function stored(kept: Kept): readonly (readonly [id: string, name: string])[] {
  try {
    const value: unknown = JSON.parse(kept?.getItem(KEY) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.map((entry) => [String(entry[0]), String(entry[1])] as const)
  } catch {
    return []
  }
}
