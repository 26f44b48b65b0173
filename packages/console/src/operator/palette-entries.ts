/** The lines of the palette. */
import { ACTIONS, ACTION_IDS } from './actions.ts'
import type { Operator } from './operator.ts'
import type { Reading } from './live.ts'
import { SECTION_TITLES } from './sections.ts'

/** One line: what it is called, and what choosing it does. */
export interface PaletteEntry {
  readonly id: string
  /** selects it when it is all that is typed */
  readonly key: string | undefined
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
  const actions = ACTION_IDS.map((id) => ({
    id,
    key: ACTIONS[id].key,
    title: ACTIONS[id].title(reading),
    off: ACTIONS[id].offBecause?.(reading),
    choose: () => operator.begin(id),
  }))
  const sections = SECTION_TITLES.map(([name, title], i) => ({
    id: name,
    key: String(i + 1),
    title: `Go to ${title}`,
    off: undefined,
    choose: () => void (location.hash = name),
  }))
  const leave = {
    id: 'signOut',
    key: 'z',
    title: 'Sign out',
    off: undefined,
    choose: () => operator.sessions.signOut(),
  }
  return [...actions, ...sections, leave]
}
