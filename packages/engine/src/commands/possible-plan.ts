import {
  type BurnNode,
  type BurnSpan,
  CONTROL_QUANTA,
  type ManeuverOrder,
  NODE_DOUBLES,
  PLAN_NODE_DOUBLES,
  QUANTA_PER_SECOND,
  type ShipClass,
  burnSpan,
  pointsAlike,
  shipClassOf,
  writeNodes,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type SpannedBurn, requireAboveGround } from './plan-ground.ts'

/**
 * Refuses a plan whose burns cannot take place: too early for the hull to turn to them, over one
 * another, beyond the fuel or its time, or where their way runs into the ground.
 *
 * @param index  lattice index at which it acts
 * @throws {EngineError} 'ERR_CONTROL' naming the burn
 */
export function requirePlan(
  world: World,
  { nodes = [], timeout }: ManeuverOrder,
  entry: RosterEntry,
  index: number,
): void {
  const { state } = world
  const ship = shipClassOf(state, entry.slot)
  const burns = spannedBurns(ship, state.ships.fuel[entry.slot], nodes)
  requireApart(ship, nodes, burns, index)
  const deadline = index + timeout * QUANTA_PER_SECOND
  const late = burns.findIndex(({ startAt, quanta }) => startAt + quanta > deadline)
  if (late >= 0) throw refused(late, 'the burn would end after the longest time of a maneuver')
  requireAboveGround(world, burns, entry)
}

/** @throws {EngineError} 'ERR_CONTROL' where they take more than the fuel */
function spannedBurns(ship: ShipClass, tank: number, nodes: readonly BurnNode[]): SpannedBurn[] {
  const row = writtenNodes(nodes)
  const span: BurnSpan = { startAt: 0, quanta: 0, fuelAfter: tank }
  let spent = 0
  return nodes.map((node, i) => {
    const fuel = span.fuelAfter
    burnSpan(span, ship, fuel, row, NODE_DOUBLES * i)
    const deltaV =
      ship.exhaustVelocity * Math.log((ship.dryMass + fuel) / (ship.dryMass + span.fuelAfter))
    if (span.fuelAfter === fuel) throw refused(i, 'the burn is too small to take fuel')
    if (!(span.fuelAfter > 0)) {
      const left = `${speedText(deltaV)} are left of the fuel after ${speedText(spent)}`
      throw refused(i, `the burn takes all fuel or more: ${left}`)
    }
    spent += deltaV
    return { ...span, node, deltaV }
  })
}

/** @throws {EngineError} 'ERR_CONTROL' */
function requireApart(
  { turnSeconds }: ShipClass,
  nodes: readonly BurnNode[],
  burns: readonly SpannedBurn[],
  index: number,
): void {
  const row = writtenNodes(nodes)
  for (const [i, { startAt }] of burns.entries()) {
    const free = i === 0 ? index + CONTROL_QUANTA : burns[i - 1].startAt + burns[i - 1].quanta
    const isAlike = i > 0 && pointsAlike(row, NODE_DOUBLES * (i - 1), NODE_DOUBLES * i)
    const needed = isAlike ? 0 : turnSeconds * QUANTA_PER_SECOND
    if (startAt >= free + needed) continue
    const before = i === 0 ? 'the order acts' : `nodes.${i - 1} ends`
    const gap = (startAt - free) / QUANTA_PER_SECOND
    const when = gap < 0 ? `${-gap} s before ${before}` : `${gap} s after ${before}`
    const turn = needed > 0 ? `, and the hull takes up to ${turnSeconds} s to turn` : ''
    throw refused(i, `the burn would begin ${when}${turn}`)
  }
}

function writtenNodes(nodes: readonly BurnNode[]): Float64Array {
  const row = new Float64Array(PLAN_NODE_DOUBLES)
  writeNodes(row, nodes)
  return row
}

function speedText(metresPerSecond: number): string {
  return `${Number(metresPerSecond.toPrecision(6))} m/s`
}

function refused(node: number, what: string): EngineError {
  return new EngineError('ERR_CONTROL', `nodes.${node}: ${what}.`)
}
