/** Where the console has each operation of an admin; the parts below are what it is made of. */
import { accountActions } from './account-actions.ts'
import type { Action } from './action.ts'
import { backupActions } from './backup-actions.ts'
import { clockActions } from './clock-actions.ts'
import { SECTIONS } from './listings.ts'
import { snapshotActions } from './snapshot-actions.ts'
import { worldActions } from './world-actions.ts'

export const ACTIONS: readonly Action[] = [
  ...clockActions,
  ...snapshotActions,
  ...backupActions,
  ...accountActions,
  ...worldActions,
]

/** @throws {Error} when no action has the key */
export function actionOf(key: string): Action {
  const action = ACTIONS.find((one) => one.key === key)
  if (!action) throw new Error(`No action has the key ${key}`)
  return action
}

/** What the session, the cards and the charts ask for. */
const ALWAYS = ['loginAdmin', 'readGameStatus', 'readLoad', 'readHistory']

/** Operation ids of all that the console does. */
export const OPERATIONS: ReadonlySet<string> = new Set([
  ...ALWAYS,
  ...ACTIONS.flatMap(({ operations }) => operations),
  ...Object.values(SECTIONS).flatMap(({ listings }) =>
    listings.flatMap(({ operations }) => operations),
  ),
])
