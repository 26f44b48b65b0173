import { type Control, isDocked, watchedBy } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { requireSound } from '../orders/sound-control.ts'
import { requirePossible, requireThrust } from '../orders/possible-control.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { requirePlan } from './possible-plan.ts'
import { requireReachable } from './reachable-orbit.ts'
import {
  type PendingControl,
  acceptControl,
  actingIndex,
  requireOwn,
  requireRoomToWatch,
  requireTaking,
} from '../world/intake.ts'

/**
 * Queues a control command for the control boundary after the index its pilot was shown.
 *
 * @param shown   lattice index, need not be whole
 * @param wanted  index at which it is to act, see `acceptControl`
 * @throws {EngineError} 'ERR_CONTROL', 'ERR_DOCKED', 'ERR_NOT_DOCKED', 'ERR_COMMANDS_PENDING',
 *   'ERR_WATCHERS'
 */
export function steerShip(
  world: World,
  ship: RosterEntry,
  control: Control,
  shown: number,
  wanted?: number,
): PendingControl {
  const { intake, roster, settled, state } = world
  requireTaking(intake)
  requireOwn(world)
  requirePossible(state, ship.slot, control)
  requireThrust(state, ship.slot, control)
  requireDocking(world, ship, control)
  requireReachable(world, control, ship)
  if (control.maneuver?.nodes) {
    requireSound(control)
    requirePlan(world, control.maneuver, ship, actingIndex(intake, ship, shown, settled, wanted))
  }
  if (watchedBy(control) > 0) requireRoomToWatch(intake, roster, state)
  return acceptControl(intake, ship, control, shown, settled, wanted)
}

/** Passes on orders of pilots: those that are checked against the present orbit between ticks. */
export class SteeringOrders {
  readonly #whenSettled: WhenSettled
  #waiting = 0

  constructor(whenSettled: WhenSettled) {
    this.#whenSettled = whenSettled
  }

  async pass<Result>({ maneuver }: Control, steer: () => Result): Promise<Result> {
    // While a tick runs, the columns of a step may be new in part.
    const readsOrbit = maneuver?.maneuver === 'set_orbit' || maneuver?.nodes !== undefined
    // An order behind one that waits must not overtake it.
    if (!readsOrbit && this.#waiting === 0) return steer()
    this.#waiting++
    return this.#whenSettled(steer).finally(() => this.#waiting--)
  }
}

type WhenSettled = <Result>(act: () => Result) => Promise<Result>

/** A docked ship can only undock; after that, in the order of its commands, all else. */
function requireDocking({ intake, state }: World, ship: RosterEntry, control: Control): void {
  const { undock } = control
  const isFlown = Object.keys(control).some((field) => field !== 'undock' && field !== 'unloading')
  const isUndocking = (one: PendingControl): boolean =>
    one.ship.number === ship.number && one.control.undock === true
  const docked =
    isDocked(state.ships, ship.slot) && ![...intake.due, ...intake.pending].some(isUndocking)
  if (undock && !docked) throw new EngineError('ERR_NOT_DOCKED', 'The ship is not docked.')
  if (docked && isFlown) {
    throw new EngineError('ERR_DOCKED', 'The ship is docked; it has to undock first.')
  }
}
