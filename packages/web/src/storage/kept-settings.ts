/** What the browser keeps of the settings, as it has it. */

/** Where settings are kept: `localStorage`, or undefined where the browser refuses it. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'> | undefined

const KEY = 'orrery.settings'

/** The browser's storage, which it may refuse. */
export function browserStorage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** What is kept, or nothing where that is no object. */
export function keptSettings(kept: Kept): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(kept?.getItem(KEY) ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

export function keepSettings(kept: Kept, values: Readonly<Record<string, unknown>>): void {
  try {
    kept?.setItem(KEY, JSON.stringify(values))
  } catch {
    // A full storage: they hold until the page is left.
  }
}
