import type { Activity } from './activity.ts'
import { type Program, fail } from './guide.ts'
import { circularize } from './programs/circularize.ts'
import { dock } from './programs/dock.ts'
import { docked } from './programs/docked.ts'
import { escape } from './programs/escape.ts'
import { rendezvous } from './programs/rendezvous.ts'
import { setOrbit } from './programs/set-orbit.ts'
import { transfer } from './programs/transfer.ts'

const unreachable: Program = (guide) => fail(guide, 'unreachable')

/** What flies a ship, by its activity. */
export const PROGRAMS: { readonly [A in Activity]: Program } = {
  none: unreachable,
  circularize,
  set_orbit: setOrbit,
  transfer,
  rendezvous,
  hold_station: rendezvous,
  escape,
  dock,
  docked,
}
