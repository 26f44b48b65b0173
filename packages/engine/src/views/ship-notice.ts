import { CHUNK_SLOTS, type EventKind, type ShipEvent } from '@orrery/sim'
import type { World } from '../world/world.ts'

/** Something that happened to a ship, in the words people use. */
export interface ShipNotice {
  readonly shipId: string
  readonly kind: EventKind
  /** lattice index */
  readonly index: number
  /** the body it ran into, or the one it was near */
  readonly body: string
}

/** An event of the core with names; undefined when the ship has left the world since. */
export function shipNotice(
  { roster, state }: World,
  { shipNumber, kind, index, body }: ShipEvent,
): ShipNotice | undefined {
  const entry = roster.byNumber.get(shipNumber)
  if (!entry) return undefined
  const system = state.chunk.chunkSystem[Math.floor(entry.slot / CHUNK_SLOTS)]
  return { shipId: entry.shipId, kind, index, body: state.systems[system].bodies[body].name }
}
