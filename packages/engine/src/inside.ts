import type * as outside from './outside.ts'
import type { Universe } from './world/universe.ts'

/** What a universe holds that another package hands on: each was made here. */
export function inside(universe: outside.Universe): Universe {
  return universe as Universe
}

/** The same of what comes with a clock or more. */
export function openedInside<Opened extends { readonly universe: outside.Universe }>(
  opened: Opened,
): Opened & { readonly universe: Universe } {
  return opened as Opened & { readonly universe: Universe }
}
