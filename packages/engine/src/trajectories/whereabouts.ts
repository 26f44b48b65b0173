import { EMPTY, FROZEN, QUANTA_PER_SECOND, bodyState, createStateVector } from '@orrery/sim'
import type { World } from '../world/world.ts'

/** About where the ships of a world are. */
export interface Whereabouts {
  /** by slot; 0 where there is no ship */
  readonly numbers: Uint32Array
  /** by slot, from the system's barycentre [m]; of no meaning where there is no ship */
  readonly positions: Float64Array
}

const center = createStateVector()

/**
 * Where each ship is at the published index: its step's start, moved on by the gravity there.
 * Within 100 m on a low orbit, which is enough to find neighbours; sooner than by whole segments.
 *
 * @param before  is written over
 */
export function whereabouts({ index, state }: World, before?: Whereabouts): Whereabouts {
  const { condition, gravity, position, reference, shipNumber, stepStart, velocity } = state.ships
  const positions = before?.positions ?? new Float64Array(3 * state.slots)
  const bodies = new Float64Array(3 * state.system.bodies.length)
  for (let body = 0; 3 * body < bodies.length; body++) {
    bodyState(center, state.ephemeris, body, -1, index, 0)
    bodies.set(center.r, 3 * body)
  }
  for (let slot = 0; slot < state.slots; slot++) {
    if (condition[slot] === EMPTY) continue
    const t = condition[slot] === FROZEN ? 0 : (index - stepStart[slot]) / QUANTA_PER_SECOND
    const half = 0.5 * t
    const body = 3 * reference[slot]
    const x = 3 * slot
    const y = x + 1
    const z = x + 2
    positions[x] = bodies[body] + position[x] + t * (velocity[x] + half * gravity[x])
    positions[y] = bodies[body + 1] + position[y] + t * (velocity[y] + half * gravity[y])
    positions[z] = bodies[body + 2] + position[z] + t * (velocity[z] + half * gravity[z])
  }
  return { numbers: shipNumber.slice(0, state.slots), positions }
}
