/** The burns that an order has ahead, as nodes to look at. */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { addScaled, dot, vector } from '@orrery/page-kit'
import { burnAhead } from '../forecast/burn-ahead.ts'
import { type DeltaV, NODES_MAX, type PlanNode } from './plan.ts'
import { type NodeAxes, axesOf } from './way.ts'

const state = createShipSample()
const coasting = vector()
const thrust = vector()
const there: NodeAxes = { axes: [vector(), vector(), vector()] }

/**
 * Nodes in the middles of the burns after a time. Their axes are about those without the burn, so
 * that what they lead to differs a little.
 */
export function nodesAhead(
  forecast: Pick<Forecast, 'marks' | 'stateAt'>,
  now: number,
  bodies: readonly { readonly gm: number }[],
): readonly Omit<PlanNode, 'id'>[] {
  const nodes: Omit<PlanNode, 'id'>[] = []
  for (let from = now; nodes.length < NODES_MAX;) {
    const burn = burnAhead(forecast, from, bodies)
    // Without an end it has no Δv.
    if (!burn || !(burn.deltaV > 0)) break
    from = burn.begin
    const end = forecast.marks.find(({ kind, index }) => kind === 'burn_end' && index > from)
    const index = Math.round((from + (end?.index ?? from)) / 2)
    if (!forecast.stateAt(state, index)) break
    const size = burn.deltaV / Math.hypot(...burn.direction)
    addScaled(thrust, vector(), burn.direction, size)
    addScaled(coasting, state.v, thrust, -0.5)
    axesOf(there, state.r, coasting)
    const [prograde, normal, radial] = there.axes.map((axis) => dot(axis, thrust))
    const deltaV: DeltaV = [prograde, normal, radial]
    nodes.push({ index, deltaV })
  }
  return nodes
}
