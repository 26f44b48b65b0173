/** What pilots order, as data: the same for a ship wherever it flies. */
import { type BurnNode, CONTROL_QUANTA, type Control, QUANTA_PER_SECOND } from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import type { Rule } from '@orrery/engine/testing'

export interface ScriptedOrder {
  /** lattice index at which it acts */
  readonly index: number
  readonly control: Control
}

/** Kinds of pilots, one after the other. */
const KINDS = 20

/** Ships that begin beside the station, to dock there or to stay beside it. */
export const isVisitor = (ship: number): boolean => ship % KINDS === 15 || ship % KINDS === 16

const HOUR = 3600

/** A few orders that belong together, with the seconds between them. */
type Course = readonly (readonly [after: number, control: Control])[]

/** The orders of a ship: the first within a minute, then a few each two hours or so. */
export function scriptedOrders(
  ship: number,
  begin: number,
  seconds: number,
  stationId: string,
): ScriptedOrder[] {
  const chance = createChance(20_263 + ship)
  const orders: ScriptedOrder[] = []
  for (let at = 60 * chance.share(); at < seconds; at += HOUR * (1 + 2 * chance.share())) {
    let time = at
    for (const [after, control] of course(ship % KINDS, chance, stationId)) {
      time += after
      const quanta = Math.floor((time * QUANTA_PER_SECOND) / CONTROL_QUANTA) * CONTROL_QUANTA
      const index = begin + Math.max(CONTROL_QUANTA, quanta)
      orders.push({ index, control: timed(control, index) })
    }
  }
  const end = begin + seconds * QUANTA_PER_SECOND
  return orders.filter(({ index }) => index <= end).toSorted((a, b) => a.index - b.index)
}

/** A control whose plan counts from the index at which it acts. */
function timed(control: Control, from: number): Control {
  const { maneuver } = control
  if (!maneuver?.nodes) return control
  const nodes = maneuver.nodes.map((node) => ({ ...node, index: from + node.index }))
  return { maneuver: { ...maneuver, nodes } }
}

/** Two burns, the second soon after the first. */
function burns(share: () => number): BurnNode[] {
  const burn = { anchor: 'start', throttle: 1 } as const
  const [x, y, z] = [2 * share(), share(), share()]
  return [
    { ...burn, index: 7001, frame: 'prograde', vector: [x, y, z] },
    { ...burn, index: 14_500, pointing: 'radial_in', seconds: share() },
  ]
}

const STOP: Control = { thrustLevel: 0 }
const REST: Control = { pointing: 'rest' }
const TIMEOUT = { timeout: 1e6, params: [] } as const

function course(
  kind: number,
  { pick, share }: ReturnType<typeof createChance>,
  stationId: string,
): Course {
  const part = (): number => 2 * share() - 1
  if (kind === 12) {
    const rate = [0.02 * part(), 0.02 * part(), 0.02 * part()] as const
    return [
      [0, { angularRate: rate, unloading: share() < 0.5 }],
      [120, REST],
    ]
  }
  if (kind === 13) {
    return [
      [0, { pointing: 'loose' }],
      [200, { attitude: [part(), part(), part(), part()] }],
    ]
  }
  if (kind === 14) {
    const maneuvers = ['circularize', 'set_orbit', 'plan'] as const
    const maneuver = pick(maneuvers)
    const params = maneuver === 'set_orbit' ? [8e6, 0.01, -2] : []
    const nodes = maneuver === 'plan' ? { nodes: burns(share) } : {}
    return [[0, { maneuver: { ...TIMEOUT, maneuver, params, ...nodes } }]]
  }
  if (kind === 15) {
    return [
      [0, { maneuver: { ...TIMEOUT, maneuver: 'dock', stationId } }],
      [1800, { undock: true }],
    ]
  }
  if (kind === 16) {
    return [
      [0, { maneuver: { ...TIMEOUT, maneuver: 'hold_station', stationId } }],
      [600, { pointing: 'rest', abort: true }],
    ]
  }
  if (kind === 17) {
    return [
      [0, { attitude: [part(), part(), part(), part()] }],
      [30, { thrustLevel: share(), seconds: 1 + 9 * share() }],
    ]
  }
  if (kind === 18) {
    return [
      [0, { pointing: 'target', stationId, thrustLevel: 0.01 }],
      [40, STOP],
      [300, { pointing: 'target', body: 0 }],
    ]
  }
  return [
    [0, { pointing: pick(['prograde', 'normal', 'antinormal', 'radial_out']) }],
    [60, { thrustLevel: 0.1 + 0.9 * share(), deltaV: 0.5 + 3 * share() }],
    [100, { pointing: 'hold', ...STOP }],
  ]
}

/** Rules of every twentieth ship. */
export function rulesOf(ship: number): Rule[] {
  if (ship % KINDS !== 19) return []
  const rest = { once: false, armed: true, source: '' }
  return [
    {
      ...rest,
      ruleId: `${ship} low`,
      name: 'Low',
      condition: { kind: 'apsis', below: 0 },
      order: { thrustLevel: 0.05, deltaV: 0.2, pointing: 'prograde' },
    },
    { ...rest, ruleId: `${ship} fuel`, name: 'Fuel', condition: { kind: 'fuel', below: 0.9 } },
  ]
}
