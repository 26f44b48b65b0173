/** How many rendezvous from a seeded batch of starts finish, and what they cost. */
import { bodyIndex, solSystem } from '@orrery/catalog'
import {
  type ManeuverEvent,
  type RosterEntry,
  type Universe,
  type World,
  createReplay,
  executeCommand,
} from '@orrery/engine/testing'
import { type Body, CONTROL_QUANTA, QUANTA_PER_SECOND, launch } from '@orrery/sim'
import { type Chance, createChance } from '@orrery/testkit/chance'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { populatedUniverse } from '../populated-universe.ts'

const SEED = 1
const START_MS = Date.UTC(2030, 0, 1)
const DAY = 86_400
const DAYS_MAX = 30

/** Stations, by altitude [m], and how many ships start for each. */
const STATIONS = [
  { body: 'Earth', altitude: 420_000, ships: 40 },
  { body: 'Earth', altitude: 20_000_000, ships: 20 },
  { body: 'Moon', altitude: 100_000, ships: 20 },
  { body: 'Mars', altitude: 400_000, ships: 20 },
] as const

const PREFIX = 'station '
const SHIPS = STATIONS.reduce((sum, { ships }) => sum + ships, 0)

/** Lowest and highest periapsis over the ground as shares of the radius, most e and tilt [rad]. */
const LOWEST = 0.04
const HIGHEST = 2
const ECCENTRICITY_MAX = 0.3
const TILT_MAX = 0.7

interface Start {
  readonly ship: RosterEntry
  readonly stationId: string
  /** of two impulses between circles, with the turn of the plane [m/s] */
  readonly impulses: number
}

export async function maneuvers(): Promise<Row[]> {
  const universe = await populatedUniverse(SHIPS, undefined, START_MS)
  const [world] = universe.worlds
  const ends = new Map<string, ManeuverEvent>()
  const replay = createReplay({
    world,
    pool: undefined,
    onManeuver: (event) => {
      const hasEnded = event.eventType === 'completed' || event.eventType === 'failed'
      if (hasEnded) ends.set(event.shipId, event)
    },
  })
  const chance = createChance(SEED)
  const ships = [...world.roster.byId.values()]
  const starts = STATIONS.flatMap((station, i) => {
    const stationId = `${PREFIX}${i}`
    addStation(universe, stationId, station)
    return ships.splice(0, station.ships).map((ship) => place(world, ship, stationId, chance))
  })
  const first = CONTROL_QUANTA * Math.ceil((world.index + 1) / CONTROL_QUANTA)
  for (const { ship, stationId } of starts) {
    const maneuver = { maneuver: 'rendezvous', stationId, timeout: DAYS_MAX * DAY, params: [] }
    const command = { kind: 'control', ship: ship.number, control: { maneuver } }
    await replay.apply({ sequence: world.intake.sequence + 1, index: first, command })
  }
  const begun = performance.now()
  for (let day = 1; day <= DAYS_MAX && ends.size < starts.length; day++) {
    progress.at('days of flight', day, DAYS_MAX)
    await replay.flyTo(first + day * DAY * QUANTA_PER_SECOND, day)
  }
  return rows(world, starts, ends, (performance.now() - begun) / 1000)
}

function rows(
  { ship: { dryMass, exhaustVelocity, fuelCapacity }, state }: World,
  starts: readonly Start[],
  ends: ReadonlyMap<string, ManeuverEvent>,
  seconds: number,
): Row[] {
  const spent = ({ ship: { slot } }: Start): number =>
    exhaustVelocity * Math.log((dryMass + fuelCapacity) / (dryMass + state.ships.fuel[slot]))
  const ended = (type: string): Start[] =>
    starts.filter(({ ship }) => ends.get(ship.shipId)?.eventType === type)
  const finished = ended('completed')
  const sum = (of: (start: Start) => number): number =>
    finished.reduce((total, start) => total + of(start), 0)
  const shares = finished.map((start) => spent(start) / start.impulses)
  return rowsOf(`${starts.length} rendezvous`, [
    ['finished', finished.length, '', { min: 0.98 * starts.length }],
    ['failed', ended('failed').length, ''],
    ['delta_v_to_two_impulses', sum(spent) / sum(({ impulses }) => impulses), ''],
    ['delta_v_to_two_impulses_p50', percentile(shares, 0.5), ''],
    ['delta_v_to_two_impulses_p90', percentile(shares, 0.9), ''],
    ['took', seconds, 's'],
  ])
}

type Station = (typeof STATIONS)[number]

function addStation(universe: Universe, stationId: string, { body, altitude }: Station): void {
  executeCommand(universe, {
    kind: 'create_station',
    stationId,
    name: stationId,
    systemId: 'sol',
    parentBody: body,
    placement: { kind: 'orbit', altitude },
  })
}

/** Puts a ship somewhere about the body of its station. */
function place(world: World, ship: RosterEntry, stationId: string, chance: Chance): Start {
  const { body: name, altitude } = STATIONS[Number(stationId.slice(PREFIX.length))]
  const at = bodyIndex(solSystem, name)
  const body = solSystem.bodies[at]
  const span = HIGHEST / LOWEST
  const low = body.radius * (1 + LOWEST * span ** (chance.share() * chance.share()))
  const e = ECCENTRICITY_MAX * chance.share() * chance.share()
  const tilt = TILT_MAX * chance.share()
  const { position, velocity } = orbitAbout(body, { low, e, tilt }, chance)
  const { ships } = world.state
  ships.reference[ship.slot] = at
  ships.position.set(position, 3 * ship.slot)
  ships.velocity.set(velocity, 3 * ship.slot)
  launch(world.flight, ship.slot, world.index)
  const impulses = twoImpulses(body.gm, low / (1 - e), body.radius + altitude, tilt)
  return { ship, stationId, impulses }
}

type Triple = [number, number, number]

/** A state somewhere on an orbit tilted to the body's equator, its node and periapsis anywhere. */
function orbitAbout(
  body: Body,
  { low, e, tilt }: { readonly low: number; readonly e: number; readonly tilt: number },
  chance: Chance,
): { position: Triple; velocity: Triple } {
  const pole = body.oblateness?.pole ?? [0, 0, 1]
  const angle = (): number => 2 * Math.PI * chance.share()
  const [node, argument, anomaly] = [angle(), angle(), angle()]
  const level = Math.hypot(pole[0], pole[1]) > 0.01 ? unit([-pole[1], pole[0], 0]) : [1, 0, 0]
  const across = cross(pole, level)
  const toNode = mix(Math.cos(node), level, Math.sin(node), across)
  const flat = cross(pole, toNode)
  const ahead = mix(Math.cos(tilt), flat, Math.sin(tilt), pole)
  const p = low * (1 + e)
  const r = p / (1 + e * Math.cos(anomaly))
  const speed = Math.sqrt(body.gm / p)
  const out = mix(Math.cos(argument + anomaly), toNode, Math.sin(argument + anomaly), ahead)
  const along = mix(-Math.sin(argument + anomaly), toNode, Math.cos(argument + anomaly), ahead)
  return {
    position: mix(r, out, 0, out),
    velocity: mix(speed * e * Math.sin(anomaly), out, speed * (1 + e * Math.cos(anomaly)), along),
  }
}

function cross([ax, ay, az]: readonly number[], [bx, by, bz]: readonly number[]): Triple {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

function mix(s: number, a: readonly number[], t: number, b: readonly number[]): Triple {
  return [s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]]
}

function unit(a: readonly number[]): Triple {
  return mix(1 / Math.hypot(...a), a, 0, a)
}

/** Δv of two impulses between circles that share the turn of the plane in the best way. */
export function twoImpulses(gm: number, from: number, to: number, turn: number): number {
  const speed = (r: number, a: number): number => Math.sqrt(gm * (2 / r - 1 / a))
  const side = (u: number, w: number, angle: number): number =>
    Math.sqrt(Math.max(0, u * u + w * w - 2 * u * w * Math.cos(angle)))
  const a = (from + to) / 2
  const costs = Array.from({ length: 201 }, (_, k) => {
    const first = (turn * k) / 200
    const begins = side(speed(from, from), speed(from, a), first)
    return begins + side(speed(to, a), speed(to, to), turn - first)
  })
  return Math.min(...costs)
}
