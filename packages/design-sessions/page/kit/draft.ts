export type Values = Readonly<Record<string, unknown>>

/** Unsaved changes of a record, and what those fields were when they were changed. */
export interface Draft {
  readonly values: Values
  readonly base: Values
}

const NONE: Draft = { values: {}, base: {} }

const keyOf = (path: string): string => `design-sessions-draft ${path}`

/** A draft outlives a reload of its tab; other tabs have their own. */
export function readDraft(path: string): Draft {
  const text = sessionStorage.getItem(keyOf(path))
  return text === null ? NONE : JSON.parse(text)
}

/** Keeps a draft; an empty one is forgotten. */
export function keepDraft(path: string, draft: Draft): void {
  const key = keyOf(path)
  if (Object.keys(draft.values).length === 0) sessionStorage.removeItem(key)
  else {
    try {
      sessionStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // The storage is full: what is typed is in the form alone.
    }
  }
}

export function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted)
}

/** The database orders the keys of objects in its own way. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Fields of a draft that somebody else has changed since, to something else. */
export function clashes({ values, base }: Draft, theirs: Values): readonly string[] {
  return Object.keys(values).filter(
    (name) => !equal(theirs[name], base[name]) && !equal(theirs[name], values[name]),
  )
}

export function picked(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
