import type { Activity } from '../../state/activity.ts'
import { type Program, fail } from '../guide.ts'
import { circularize } from './circularize.ts'
import { dock } from './dock.ts'
import { docked } from './docked.ts'
import { escape } from './escape.ts'
import { rendezvous } from './rendezvous.ts'
import { setOrbit } from './set-orbit.ts'
import { timedBurns } from './plan-burns.ts'
import { transfer } from './transfer.ts'

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
  plan: timedBurns,
}
