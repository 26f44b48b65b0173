import { solStateJ2000, solSystem } from '@orrery/catalog'
import { EngineError, type ManeuverEvent, applyCommand } from '@orrery/engine/testing'
import { type ManeuverOrder, QUANTA_PER_SECOND, spheresOfInfluence } from '@orrery/sim'
import type { Chance } from '@orrery/testkit/chance'
import { foreseenEnd } from '../../src/prediction/foreseen-end.ts'
import { FLIGHT_MS_MAX } from '../../src/prediction/preflight.ts'
import { predictionTask } from '../../src/prediction/request.ts'
import { type PredictionTask, flownAhead } from '../../src/prediction/trajectory.ts'
import { removeShip } from '../../src/objects/fleet.ts'
import { universeOf } from '../globe.ts'
import { type OrderKind, orbitedBodies, randomOrder, randomPlace } from './random-flight-orders.ts'
import { type PlacedState, type SolFlight, solFlight } from './sol-flight.ts'

const DAY = 86_400

const spheres = spheresOfInfluence(solSystem, solStateJ2000())

/**
 * How an order ended; `foreseen` failed after a burn, and a server ends it before, `burnt` would do
 * so there, too, and `open` was still under way.
 */
export type Outcome = 'completed' | 'refused' | 'foreseen' | 'burnt' | 'open'

/** One order from a random orbit, and what became of it. */
export interface FlownOrder {
  readonly kind: OrderKind
  readonly order: ManeuverOrder
  readonly place: PlacedState
  readonly outcome: Outcome
  /** why it failed, and from where, in words */
  readonly text: string
  readonly days: number
  /** its end, and where its prediction has it, of those that are predicted; lattice indices */
  readonly ends: readonly [flown: number, predicted: number] | undefined
}

type Ship = ReturnType<SolFlight['add']>

interface Given extends Pick<FlownOrder, 'kind' | 'order' | 'place'> {
  readonly ship: Ship
  readonly target: Ship | undefined
  /** [kg] */
  readonly fuel: number
  /** what it is flown ahead from; undefined of one that was refused */
  readonly task: PredictionTask | undefined
  /** lattice index of the predicted end; undefined of one that is not predicted */
  readonly endsAt: number | undefined
  /** why it was refused at once */
  readonly refusal: string | undefined
}

/**
 * Flies an order of each kind in turn, all at once, for some days at most.
 *
 * @param predictedOneIn  one order in so many is predicted to its end first
 */
export async function flyOrders(
  random: Chance,
  kinds: readonly OrderKind[],
  daysMax: number,
  predictedOneIn: number,
): Promise<FlownOrder[]> {
  const flight = solFlight()
  flight.world.maneuvers.level = 'off'
  const docks = layStations(flight)
  const left = new Map(
    kinds.map((kind, i) => {
      // A chase, which looks at its target every second, is flown twice at great cost.
      const isPredicted = kind !== 'rendezvous' && i % predictedOneIn === 0
      return [`ship-${i}`, give(flight, random, kind, i, docks, isPredicted)]
    }),
  )
  for (const { ship } of left.values()) flight.world.maneuvers.debugged.add(ship.number)
  const begin = flight.world.index
  const flown: FlownOrder[] = []
  const daysNow = (): number => (flight.world.index - begin) / QUANTA_PER_SECOND / DAY
  const end = (given: Given, outcome: Outcome, text: string, index: number): void => {
    const { kind, order, place, ship, target, endsAt } = given
    const isPredicted = outcome !== 'open' && endsAt !== undefined
    const ends = isPredicted ? ([index, endsAt] as const) : undefined
    flown.push({ kind, order, place, outcome, text, days: daysNow(), ends })
    left.delete(ship.shipId)
    for (const gone of target ? [ship, target] : [ship]) removeShip(flight.world, gone, 'test')
  }
  for (const given of left.values()) {
    if (given.refusal !== undefined) end(given, 'refused', given.refusal, begin)
  }
  const { fuel } = flight.world.state.ships
  for (let seconds = 3600; daysNow() < daysMax && left.size > 0; seconds = 21_600) {
    const seen = flight.events.length
    await flight.fly(seconds)
    for (const event of flight.events.slice(seen)) {
      const given = left.get(event.shipId)
      if (!given || !ENDS.has(event.eventType)) continue
      const isBurnt = fuel[given.ship.slot] < given.fuel - 1e-6
      const failed = isBurnt ? burntOutcome(given, event.index) : 'refused'
      const outcome = event.eventType === 'completed' ? 'completed' : failed
      end(given, outcome, `${event.statusText} (${event.phase})`, event.index)
    }
  }
  for (const given of left.values()) end(given, 'open', '', NaN)
  return flown
}

/** Whether a server foresees the end of an order that has burnt in vain. */
function burntOutcome({ task }: Given, index: number): 'foreseen' | 'burnt' {
  const end = task && foreseenEnd(task, FLIGHT_MS_MAX)
  return typeof end === 'object' && end.endsAt === index ? 'foreseen' : 'burnt'
}

const ENDS: ReadonlySet<ManeuverEvent['eventType']> = new Set(['completed', 'failed'])

/** Stations low over all bodies that can have one; their ids are the bodies' names. */
function layStations({ world }: SolFlight): number[] {
  return orbitedBodies(spheres).filter((body) => {
    const { name, parent, radius } = solSystem.bodies[body]
    if (parent < 0) return false
    const placement = { kind: 'orbit', altitude: 0.08 * radius } as const
    try {
      const named = { stationId: name, name, parentBody: name }
      applyCommand(world, { kind: 'create_station', ...named, placement })
      return true
    } catch {
      return false
    }
  })
}

function give(
  flight: SolFlight,
  random: Chance,
  kind: OrderKind,
  i: number,
  docks: readonly number[],
  isPredicted: boolean,
): Given {
  const body = random.pick(kind === 'dock' ? docks : orbitedBodies(spheres))
  const place = randomPlace(random, body, spheres)
  const ship = flight.add(`ship-${i}`, place)
  const target =
    kind === 'rendezvous'
      ? flight.add(`target-${i}`, randomPlace(random, body, spheres))
      : undefined
  const order = randomOrder(random, kind, body, spheres, target?.number ?? 0)
  const fuel = flight.world.state.ships.fuel[ship.slot]
  const given = { kind, order, place, ship, target, fuel }
  try {
    const task = taskOf(flight, ship, order)
    const endsAt = isPredicted ? predictedEnd(task) : undefined
    flight.order(ship, order)
    return { ...given, task, endsAt, refusal: undefined }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { ...given, task: undefined, endsAt: undefined, refusal: error.message }
  }
}

function taskOf({ world }: SolFlight, { shipId }: Ship, maneuver: ManeuverOrder): PredictionTask {
  const orders = [{ after: 0, control: { maneuver } }]
  return predictionTask(universeOf(world), { shipId, seconds: 60, orders, toEnd: true })
}

/** Undefined where the prediction takes too much work. */
function predictedEnd(task: PredictionTask): number | undefined {
  const { marks } = flownAhead(task)
  return marks.find(({ kind }) => kind === 'maneuver_completed' || kind === 'maneuver_failed')
    ?.index
}

/** An order and its orbit in a line. */
export function lineOf({ kind, order, place, outcome, text, days }: FlownOrder): string {
  const { gm, radius } = solSystem.bodies.find(({ name }) => name === place.body)!
  const body = solSystem.bodies.findIndex(({ name }) => name === place.body)
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, k) => sum + x * b[k], 0)
  const { position: r, velocity: v } = place
  const distance = Math.hypot(...r)
  const inverse = 2 / distance - dot(v, v) / gm
  const p = (distance ** 2 * dot(v, v) - dot(r, v) ** 2) / gm
  const e = Math.sqrt(Math.max(0, 1 - p * inverse))
  const low = (p / (1 + e) / radius).toFixed(2)
  const high = ((1 + e) / inverse / spheres[body]).toFixed(3)
  const way = dot(r, v) > 0 ? 'up' : 'down'
  const orbit = `${place.body} periapsis ${low} R, apoapsis ${high} spheres, e ${e.toFixed(3)}`
  const given = JSON.stringify({ fuel: place.fuel, ...order })
  return `${kind}: ${outcome} after ${days.toFixed(1)} d, ${text}; ${orbit}, ${way}; ${given}`
}
