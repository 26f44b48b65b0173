/** The sections in their order, by their names in the address. */
import { SECTIONS } from './listings.ts'
import type { Section } from './operator.ts'

export const SECTION_TITLES: readonly (readonly [Section, string])[] = [
  ['overview', 'Overview'],
  ['map', 'Map'],
  ...Object.entries(SECTIONS).map(([name, { title }]) => [name as Section, title] as const),
]
