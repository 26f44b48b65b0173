/** Every action of the console. */
import { accountActions } from './account-actions.ts'
import type { Actions } from './action.ts'
import { backupActions } from './backup-actions.ts'
import { clockActions } from './clock-actions.ts'
import { serviceActions } from './service-actions.ts'
import { snapshotActions } from './snapshot-actions.ts'
import { worldActions } from './world-actions.ts'

/** An action's name for buttons and tables. */
export type ActionId =
  | keyof typeof clockActions
  | keyof typeof snapshotActions
  | keyof typeof backupActions
  | keyof typeof accountActions
  | keyof typeof serviceActions
  | keyof typeof worldActions

export const ACTIONS: Actions<ActionId> = {
  ...clockActions,
  ...snapshotActions,
  ...backupActions,
  ...accountActions,
  ...serviceActions,
  ...worldActions,
}

/** In the palette's order. */
export const ACTION_IDS: readonly ActionId[] = Object.keys(ACTIONS) as ActionId[]
