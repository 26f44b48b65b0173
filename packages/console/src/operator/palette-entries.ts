/** The lines of the palette. */
import type { Operator } from './operator.ts'
import { ACTIONS } from './places.ts'
import type { Reading } from './live.ts'
import { SECTION_TITLES } from './sections.ts'

/** One line: what it is called, and what choosing it does. */
export interface PaletteEntry {
  readonly key: string
  readonly title: string
  /** why it cannot be chosen now */
  readonly off: string | undefined
  readonly choose: () => void
}

/** What can be done now: the entry of a key first, then those whose names have the text. */
export function paletteEntries(operator: Operator, reading: Reading, text: string): PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  const entries = allEntries(operator, reading)
  const named = entries.filter(({ title }) => title.toLowerCase().includes(wanted))
  const keyed = entries.filter(({ key }) => key === wanted)
  return [...new Set([...keyed, ...named])]
}

function allEntries(operator: Operator, reading: Reading): PaletteEntry[] {
  const actions = ACTIONS.map((action) => ({
    key: action.key,
    title: action.title(reading),
    off: action.offBecause?.(reading),
    choose: () => operator.begin(action),
  }))
  const sections = SECTION_TITLES.map(([name, title], i) => ({
    key: String(i + 1),
    title: `Go to ${title}`,
    off: undefined,
    choose: () => void (location.hash = name),
  }))
  const leave = {
    key: 'z',
    title: 'Sign out',
    off: undefined,
    choose: () => operator.sessions.signOut(),
  }
  return [...actions, ...sections, leave]
}
