/** Where the console has each operation of an admin. */
import { ACTIONS } from '../src/operator/actions.ts'
import { SECTIONS } from '../src/operator/listings.ts'

/** What the session, the cards, the charts and the footer ask for. */
const ALWAYS = ['loginAdmin', 'readGameStatus', 'readLoad', 'readHistory', 'readVersion']

/** Operation ids of all that the console does. */
export const OPERATIONS: ReadonlySet<string> = new Set([
  ...ALWAYS,
  ...Object.values(ACTIONS).flatMap(({ operations }) => operations),
  ...Object.values(SECTIONS).flatMap(({ listings }) =>
    listings.flatMap(({ operations }) => operations),
  ),
])
