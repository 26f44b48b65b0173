import { type CatalogCheckpoints, checkpointAtOrBefore, refusal } from '@orrery/game'
import type { CheckpointsResponse } from '@orrery/protocol'
import { NODE_QUANTA, latticeFromUtc, utcFromLattice } from '@orrery/sim'

/**
 * The last checkpoint at or before a moment and those that follow it.
 *
 * @param unixMs  UTC [ms]
 * @param count   at most
 * @throws {Refusal} 400 E001 naming the span of all, when the moment is not within
 */
export function checkpointsResponse(
  { system, checkpoints }: CatalogCheckpoints,
  unixMs: number,
  count: number,
): CheckpointsResponse {
  const { firstNode, spacing } = checkpoints
  const lastNode = firstNode + (checkpoints.count - 1) * spacing
  const [from, until] = [firstNode, lastNode].map((node) =>
    new Date(Math.ceil(utcFromLattice(node * NODE_QUANTA))).toISOString(),
  )
  const wanted = latticeFromUtc(unixMs) / NODE_QUANTA
  // NaN is in no span.
  if (!(wanted >= firstNode && wanted <= lastNode)) {
    const text = `The checkpoints of ${system.name} reach from ${from} to ${until}.`
    throw refusal('E001', text, 400)
  }
  const first = firstNode + spacing * Math.floor((wanted - firstNode) / spacing)
  const states = Array.from({ length: Math.min(count, (lastNode - first) / spacing + 1) }, (_, i) =>
    checkpointAtOrBefore(checkpoints, first + i * spacing),
  )
  return {
    from,
    until,
    index: first * NODE_QUANTA,
    interval: spacing * NODE_QUANTA,
    bodies: system.bodies.map(({ name, parent }, body) => ({
      name,
      parent_body: system.bodies[parent]?.name ?? null,
      state_vectors: states.map(({ x, xLow, v, vLow }) => [
        ...fromParent(x, xLow, body, parent),
        ...fromParent(v, vLow, body, parent),
      ]),
    })),
  }
}

/** Differences are taken with low parts: far out a last bit is a millimetre. */
function fromParent(
  high: Float64Array,
  low: Float64Array,
  body: number,
  parent: number,
): readonly number[] {
  return [0, 1, 2].map((axis) => {
    const own = 3 * body + axis
    if (parent < 0) return high[own]
    const above = 3 * parent + axis
    return high[own] - high[above] + (low[own] - low[above])
  })
}
