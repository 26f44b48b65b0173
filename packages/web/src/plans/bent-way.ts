/**
 * Where changed nodes lead, about, until their forecast is there: two forecasts of a hand's way are
 * extended along it, so that the line follows the hand with the next picture.
 */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { addScaled } from '@orrery/page-kit'
import type { PlanNode } from './plan.ts'

export interface PlanFlown {
  /** those that it flies: others than the plan's while the next one is made */
  readonly nodes: readonly PlanNode[]
  readonly forecast: Forecast
}

/** So far beyond the last forecast [ways from the one before]: what is left out grows squared. */
const FARTHEST = 4

/** A change is along the hand's way if so little of it is beside. */
const BESIDE = 0.2

/** Lattice indices per second. */
const PER_SECOND = 64

const was = createShipSample()

/** The last forecast bent to nodes; as it is where they, or those before, do not allow it. */
export function bentTo(
  nodes: readonly PlanNode[],
  last: PlanFlown | undefined,
  before: readonly PlanFlown[],
): PlanFlown | undefined {
  if (!last || last.nodes === nodes) return last
  for (const one of before) {
    const share = shareOf(one.nodes, last.nodes, nodes)
    if (share !== undefined) return { nodes, forecast: bent(last.forecast, one.forecast, share) }
  }
  return last
}

/** How far some nodes are beyond others, on the way that led to those; undefined where beside. */
function shareOf(...ways: readonly (readonly PlanNode[])[]): number | undefined {
  const [from, to, wanted] = ways.map(valuesOf)
  if (to.length !== from.length || to.length !== wanted.length) return undefined
  let along = 0
  let passed = 0
  let left = 0
  for (const [i, value] of to.entries()) {
    const [done, due] = [value - from[i], wanted[i] - value]
    passed += done * done
    along += done * due
    left += due * due
  }
  const share = along / passed
  const beside = left - share * along
  // Where two are alike the share is NaN, and no comparison holds.
  return Math.abs(share) <= FARTHEST && beside <= BESIDE * BESIDE * left ? share : undefined
}

/** Of each node its time [s] and its Δv [m/s]. */
function valuesOf(nodes: readonly PlanNode[]): readonly number[] {
  return nodes.flatMap(({ index, deltaV }) => [index / PER_SECOND, ...deltaV])
}

function bent(last: Forecast, before: Forecast, share: number): Forecast {
  const to = Math.min(last.to, before.to)
  return {
    ...last,
    to,
    isExact: false,
    stateAt: (out, time) => {
      if (time > to || !last.stateAt(out, time)) return false
      // Where one is about another body already, the last one stays.
      if (!before.stateAt(was, time) || was.reference !== out.reference) return true
      for (const [state, old] of [
        [out.r, was.r],
        [out.v, was.v],
      ]) {
        addScaled(state, state, state, share)
        addScaled(state, state, old, -share)
      }
      return true
    },
  }
}
