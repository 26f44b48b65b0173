import {
  COPIED_COLUMNS,
  type CopiedShip,
  FLYING,
  FROZEN,
  SHIP_COLUMNS,
  type ShipColumns,
  columnBytes,
  columnViews,
  copiedRow,
} from '@orrery/sim'
import { ARC } from '../scene/arc.ts'
import type { Scene } from '../scene/scene.ts'
import type { Ship } from '../scene/world.ts'

/**
 * A received ship as one that coasts on from its step, without the low parts and the phase that
 * only the server knows: in 16 days of low orbit, they move it by some 10 µm.
 *
 * @param slot  any that no other ship of the forecast has
 * @param time  lattice index; its step may end before
 */
export function receivedCopy(
  { classes, received }: Pick<Scene, 'classes' | 'received'>,
  { id, number, shipClass }: Ship,
  slot: number,
  time: number,
): CopiedShip | undefined {
  const row = received.row(number)
  if (received.arcs.kept[row] === 0) return undefined
  const at = received.arcs.at(row, time)
  const arc = received.arcs.values
  const stands = arc[at + ARC.end] === arc[at + ARC.start]
  // Of some nothing but the state at the start is received.
  if (arc[at + ARC.end] < arc[at + ARC.start]) return undefined
  const triple = (place: number): Float64Array => arc.subarray(at + place, at + place + 3)
  const buffer = new ArrayBuffer(columnBytes(SHIP_COLUMNS, 1))
  const ship = columnViews(SHIP_COLUMNS, buffer, 0, 1) as ShipColumns
  ship.shipNumber[0] = number
  ship.shipClass[0] = classes.findIndex(({ name }) => name === shipClass)
  ship.condition[0] = stands ? FROZEN : FLYING
  ship.reference[0] = arc[at + ARC.reference]
  ship.sighting[0] = ship.impactBody[0] = -1
  ship.impactAt[0] = Infinity
  ship.attitude[0] = 1
  ship.stepStart[0] = arc[at + ARC.start]
  ship.position.set(triple(ARC.r0))
  ship.velocity.set(triple(ARC.v0))
  ship.gravity.set(triple(ARC.a0))
  ship.stepEnd[0] = arc[at + ARC.end]
  ship.endPosition.set(triple(ARC.r1))
  ship.endVelocity.set(triple(ARC.v1))
  ship.endGravity.set(triple(ARC.a1))
  return {
    shipId: id,
    number,
    slot,
    columns: copiedRow(COPIED_COLUMNS, ship, 0),
    hull: undefined,
    sightings: new Map(),
    rules: [],
    orders: [],
  }
}
