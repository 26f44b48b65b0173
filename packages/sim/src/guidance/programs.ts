import type { Activity } from './activity.ts'
import { type Program, fail } from './guide.ts'
import { escape } from './programs/escape.ts'

const unreachable: Program = (guide) => fail(guide, 'unreachable')

/** What flies a ship, by its activity. */
export const PROGRAMS: { readonly [A in Activity]: Program } = {
  none: unreachable,
  circularize: unreachable,
  set_orbit: unreachable,
  transfer: unreachable,
  rendezvous: unreachable,
  hold_station: unreachable,
  escape,
  dock: unreachable,
  docked: unreachable,
}
