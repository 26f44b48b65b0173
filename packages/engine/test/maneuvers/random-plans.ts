import {
  BURN_FRAMES,
  BURN_POINTINGS,
  type BurnNode,
  type BurnSpan,
  PLAN_NODE_DOUBLES,
  QUANTA_PER_SECOND,
  type ShipClass,
  burnSpan,
  writeNodes,
} from '@orrery/sim'
import type { Chance } from '@orrery/testkit'

/** Δv of one burn at most [m/s]. */
const DELTA_V_MAX = 60

type Vector = readonly [number, number, number]

/** Burns that do not fit yet in their time. */
function randomNode(random: Chance): BurnNode {
  const timed = {
    index: 0,
    anchor: random.pick(['start', 'center'] as const),
    throttle: random.pick([1, 1, 0.37, 0.08]),
  }
  if (random.oneIn(2)) {
    const vector = [0, 0, 0].map(() => (DELTA_V_MAX / 2) * (2 * random.share() - 1))
    const [x, y, z] = vector
    return { ...timed, frame: random.pick(BURN_FRAMES), vector: [x, y, z] satisfies Vector }
  }
  const pointing = random.pick(BURN_POINTINGS)
  const amount = 0.02 + random.share()
  return random.oneIn(2)
    ? { ...timed, pointing, deltaV: DELTA_V_MAX * amount }
    : { ...timed, pointing, seconds: 5 * amount }
}

/** One to five burns, each as soon as 100 s after the one before, or half an hour later. */
export function randomPlan(
  random: Chance,
  ship: ShipClass,
  fuel: number,
  from: number,
): BurnNode[] {
  const row = new Float64Array(PLAN_NODE_DOUBLES)
  const span: BurnSpan = { startAt: 0, quanta: 0, fuelAfter: fuel }
  let free = from
  return Array.from({ length: 1 + random.below(5) }, () => {
    const node = randomNode(random)
    writeNodes(row, [node])
    burnSpan(span, ship, span.fuelAfter, row, 0)
    const wait = ship.turnSeconds + (random.oneIn(3) ? 0 : random.below(1800))
    const startAt = free + wait * QUANTA_PER_SECOND + random.below(QUANTA_PER_SECOND)
    free = startAt + span.quanta
    return { ...node, index: startAt - span.startAt }
  })
}
