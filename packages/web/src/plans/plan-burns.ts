/** When the burns of a plan begin and end, and what is wrong with them. */
import type { Forecast } from '@orrery/client/flight'
import { lowerFirst, say } from '../languages/say.ts'
import { HOURS_MAX } from '../forecast/flight-ahead.ts'
import { durationText, speedText } from '../quantities/quantities.ts'
import type { OwnReadings } from '../readings/own-readings.ts'
import { withArticle } from '../readings/thing-names.ts'
import { type PlanNode, sizeOf } from './plan.ts'

/** What burns are reckoned with: masses [kg], speed [m/s], acceleration [m/s²]. */
export type Engine = Pick<OwnReadings, 'mass' | 'fuel' | 'deltaV' | 'acceleration'>

export interface PlannedBurn {
  /** lattice indices, need not be whole */
  readonly begin: number
  readonly end: number
  /** Δv left before it [m/s] */
  readonly left: number
}

/** Lattice indices per second, and per hour. */
const PER_SECOND = 64
const PER_HOUR = 3600 * PER_SECOND

/** Speed of the exhaust [m/s], by Tsiolkovsky's equation backwards. */
function exhaustOf({ mass, fuel, deltaV }: Engine): number {
  return deltaV / Math.log(mass / (mass - fuel))
}

/** The burns of nodes, one after the other, at full thrust. */
export function plannedBurns(nodes: readonly PlanNode[], engine: Engine): readonly PlannedBurn[] {
  const exhaust = exhaustOf(engine)
  const flow = (engine.acceleration * engine.mass) / exhaust
  let { mass, deltaV: left } = engine
  return nodes.map((node) => {
    const size = sizeOf(node)
    const burnt = mass * (1 - Math.exp(-size / exhaust))
    const half = (0.5 * PER_SECOND * burnt) / flow
    const burn = { begin: node.index - half, end: node.index + half, left }
    mass -= burnt
    left -= size
    return burn
  })
}

export interface PlanGround {
  /** lattice index */
  readonly now: number
  /** undefined while it is not known */
  readonly engine: Engine | undefined
  /** what the hull may need to turn to a burn [s] */
  readonly turnSeconds: number
  /** of the plan; undefined before the first one */
  readonly forecast: Pick<Forecast, 'marks'> | undefined
  readonly isDocked: boolean
  readonly isFrozen: boolean
}

/** Why a plan cannot be flown, in a sentence; undefined for one that can. */
export function planFault(nodes: readonly PlanNode[], ground: PlanGround): string | undefined {
  const { engine, isDocked, isFrozen } = ground
  if (isFrozen) return say('The ship is destroyed: it flies no plan.')
  if (isDocked) return say('The ship is docked: undock before a plan is flown.')
  if (!engine) return say('Nothing is known of the ship yet.')
  if (nodes.length === 0) return say('Add a node first.')
  const empty = nodes.findIndex((node) => sizeOf(node) === 0)
  if (empty >= 0) return say('{name} has no Δv yet.', { name: nameOf(empty) })
  const burns = plannedBurns(nodes, engine)
  for (const [i, { begin, left }] of burns.entries()) {
    const fault =
      fuelFault(i, sizeOf(nodes[i]), left) ??
      timeFault(i, begin, i > 0 ? burns[i - 1].end : undefined, ground)
    if (fault !== undefined) return fault
  }
  return groundFault(burns, ground)
}

/** @param end  of the burn before, if there is one */
function timeFault(
  node: number,
  begin: number,
  end: number | undefined,
  { now, turnSeconds }: PlanGround,
): string | undefined {
  const name = nameOf(node)
  if (begin <= now)
    return say('{name} is in the past: its burn would have begun already.', { name })
  if (begin - now > HOURS_MAX * PER_HOUR) {
    const days = HOURS_MAX / 24
    return say('{name} is more than {days} days ahead: nothing is forecast so far.', { name, days })
  }
  const seconds = (begin - (end ?? now)) / PER_SECOND
  if (seconds >= turnSeconds) return undefined
  const turn = say('and the hull takes up to {time} to turn.', { time: durationText(turnSeconds) })
  if (end === undefined)
    return say('{name} begins in {time}, {turn}', { name, time: durationText(seconds), turn })
  return seconds < 0
    ? say('{name} begins before {before} ends.', { name, before: lowerFirst(nameOf(node - 1)) })
    : say('{name} begins {time} after the one before, {turn}', {
        name,
        time: durationText(seconds),
        turn,
      })
}

function fuelFault(node: number, size: number, left: number): string | undefined {
  if (size < left) return undefined
  const rest =
    left > 0 ? say('only {deltaV} are left', { deltaV: speedText(left) }) : say('nothing is left')
  return say('{name} takes more fuel than there is: {rest}.', { name: nameOf(node), rest })
}

function groundFault(burns: readonly PlannedBurn[], { forecast }: PlanGround): string | undefined {
  const impact = forecast?.marks.find(({ kind }) => kind === 'impact')
  const node = impact ? burns.findIndex(({ end }) => end > impact.index) : -1
  if (!impact || node < 0) return undefined
  const body = withArticle(impact.body ?? '')
  return say('The ship runs into {body} before {node}.', { body, node: lowerFirst(nameOf(node)) })
}

function nameOf(node: number): string {
  return say('Node {n}', { n: node + 1 })
}
