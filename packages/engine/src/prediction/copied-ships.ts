import {
  type Control,
  type CopiedShip,
  USE_POINTING,
  type WorldState,
  copiedShip,
  writtenOrder,
} from '@orrery/sim'
import { type RosterEntry, placesIn } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** Ships that are copied at most: one that further ones are watched by loses sight of them. */
const COPIED_SHIPS_MAX = 16

/** A control order that is not written to a table yet. */
export interface ControlOrder {
  readonly index: number
  readonly sequence: number
  readonly control: Control
}

/**
 * Copies a ship, those that it watches or is ordered to watch, those that these watch, and so on;
 * between ticks.
 *
 * @param supposed  further orders of the first ship
 * @param also      number of one more ship
 */
export function copyShips(
  world: World,
  first: RosterEntry,
  supposed: readonly ControlOrder[],
  also?: number,
): CopiedShip[] {
  const { roster, state } = world
  const rows = sightingRows(state)
  const ships: CopiedShip[] = []
  const wanted = new Set([first.number])
  if (also !== undefined) wanted.add(also)
  for (const number of wanted) {
    const entry = roster.byNumber.get(number)
    if (!entry || ships.length === COPIED_SHIPS_MAX) continue
    const orders = [...waitingOrders(world, number), ...(entry === first ? supposed : [])]
    const written = orders.map(({ index, sequence, control }) => {
      return { index, sequence, order: writtenOrder(control, placesIn(roster)) }
    })
    const ship = copiedShip(state, entry, rows.get(entry.slot) ?? [], written)
    ships.push(ship)
    for (const sighting of ship.sightings.values()) wanted.add(sighting['watchedNumber'][0])
    for (const { action } of ship.rules) wanted.add(action['orderTargetNumber'][0])
    for (const { order } of ship.orders) wanted.add(order['orderTargetNumber'][0])
  }
  return ships
}

/** Control orders of a ship that wait, by its number. */
export function waitingOrders({ intake }: World, shipNumber: number): readonly ControlOrder[] {
  return intake.pending.filter(({ ship }) => ship.number === shipNumber)
}

/** The rows of the sighting table that ships have, by slot. */
function sightingRows({ ships, sightings }: WorldState): ReadonlyMap<number, number[]> {
  const rows = new Map<number, number[]>()
  for (let row = 0; row < sightings.watcher.length; row++) {
    const slot = sightings.watcher[row]
    if (slot < 0) continue
    const isRule = sightings.sightingUse[row] !== USE_POINTING
    if (!isRule && ships.sighting[slot] !== row) continue
    const known = rows.get(slot)
    if (known) known.push(row)
    else rows.set(slot, [row])
  }
  return rows
}
