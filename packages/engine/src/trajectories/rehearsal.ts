import { FLYING, createStage, enterStage, flyTo, roomOf, slotIn } from '@orrery/sim'
import { copyShips } from '../prediction/copied-ships.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import type { Ships } from './open-step.ts'

/** A copy of a ship, and where it is among its kind. */
export interface Rehearsal extends Ships {
  readonly slot: number
}

/**
 * Flies a copy of a ship to the next order that waits for it; its open step then begins there.
 * Undefined where that order acts outside the ship's open step, or after something else.
 */
export function rehearse(world: World, entry: RosterEntry): Rehearsal | undefined {
  const { flight, index, ship, state } = world
  const { condition, impactAt, ruleAt, stepEnd, stepStart } = state.ships
  const { slot } = entry
  const at = nextOrder(world, entry)
  if (condition[slot] !== FLYING || at > stepEnd[slot] || at >= impactAt[slot]) return undefined
  // A step that began at the published index can still be made again.
  if (stepStart[slot] === index || (ruleAt[slot] > 0 && ruleAt[slot] <= at)) return undefined
  const copies = copyShips(world, entry, [])
  const { ephemeris, rails } = state
  const place = { ephemeris, rails, territory: flight.territory, ship }
  const stage = createStage(place, roomOf(copies))
  enterStage(stage, copies, index)
  flyTo(stage.flight, { state: stage.state, ship, since: 0 }, index, at, () => undefined)
  const copy = slotIn(stage.state, slot)
  const { ships } = stage.state
  const begins = ships.condition[copy] === FLYING && ships.stepStart[copy] === at
  return begins ? { state: stage.state, ship, slot: copy } : undefined
}

/** Infinity when none waits. */
function nextOrder({ intake }: World, { number }: RosterEntry): number {
  if (!intake.lastOfShip.has(number)) return Infinity
  let next = Infinity
  for (const { index, ship } of intake.pending) {
    if (ship.number === number && index < next) next = index
  }
  return next
}
