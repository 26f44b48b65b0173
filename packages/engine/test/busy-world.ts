import {
  type Pool,
  type SystemSetup,
  type World,
  addShip,
  applyCommand,
  createWorld,
} from '@orrery/engine/testing'
import {
  CHUNK_SLOTS,
  type ManeuverOrder,
  SHIP_COLUMNS,
  absorbBytes,
  createDigest,
  createMassiveState,
  createStateVector,
  digestText,
  finish,
  hullAt,
  launch,
  railState,
  rounds,
} from '@orrery/sim'
import { acceptControl, writeOrders } from '../src/world/intake.ts'
import { completeNear } from '../src/world/world.ts'
import { START_INDEX } from './globe.ts'
import { CLASSES } from './tug.ts'

export const SHIPS = 520
/** All that ends a step has happened after twelve. */
export const TICKS = 24
export const QUANTA_PER_TICK = 160

const MOON_DISTANCE = 1e8
const MOON_SPHERE = 1.7e7

/** A globe and its moon. */
export function pair(): SystemSetup {
  const gm = 3.986004418e14
  return {
    system: {
      id: 'pair',
      name: 'Pair',
      position: [0, 0, 0],
      bodies: [
        { name: 'Globe', parent: -1, gm, radius: 6.371e6 },
        { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.74e6 },
      ],
    },
    territory: { home: 0, spheres: Float64Array.of(Infinity, MOON_SPHERE) },
    start: Object.assign(createMassiveState(2), {
      node: 0,
      x: Float64Array.of(0, 0, 0, MOON_DISTANCE, 0, 0),
      v: Float64Array.of(0, 0, 0, 0, Math.sqrt(gm / MOON_DISTANCE), 0),
    }),
  }
}

const STATION = 'station'

/** Ships that begin beside the station, to dock there. */
const isVisitor = (number: number): boolean => number % 37 === 9

/**
 * Three chunks of ships of two classes, of which some fall to the ground, some leave the moon's
 * sphere of influence soon, and some are beside a station.
 */
export function busyWorld(kernel?: Uint8Array): World {
  const world = createWorld({
    system: pair(),
    index: START_INDEX,
    seed: 'busy',
    shipsMax: SHIPS,
    kernel,
    classes: CLASSES,
  })
  const placement = { kind: 'orbit', altitude: 400_000 } as const
  const station = { stationId: STATION, name: 'Station', parentBody: 'Globe', placement }
  applyCommand(world, { kind: 'create_station', ...station })
  const { r, v } = createStateVector()
  railState({ r, v }, world.state.ephemeris, world.stations.get(STATION)!.rail, START_INDEX, 0)
  for (let i = 0; i < SHIPS; i++) {
    const { slot, number } = addShip(world, `ship-${i}`, `Ship ${i}`, CLASSES[i % 2].name)
    if (isVisitor(number)) {
      world.state.ships.fuel[slot] -= 20
      relaunch(world, slot, 0, [r[0] + 30, r[1] - (i % 40), r[2]], [v[0], v[1], v[2]])
      continue
    }
    const height = 9000 * (1 + (i % 40))
    if (i % 13 === 5) relaunch(world, slot, 0, [6.371e6 + height, 0, 10 * i], [-9000, 300, 0])
    if (i % 31 === 7) relaunch(world, slot, 1, [1.1 * MOON_SPHERE - height, 0, i], [2000, 0, 0])
  }
  return world
}

type Triple = readonly [number, number, number]

/** Takes a ship to another place, at rest in all else. */
export function relaunch(world: World, slot: number, body: number, r: Triple, v: Triple): void {
  const { ships } = world.state
  ships.reference[slot] = body
  ships.position.set(r, 3 * slot)
  ships.velocity.set(v, 3 * slot)
  launch(world.flight, slot, world.index)
}

/** Anything that can fly a round. */
export type Flier = Pick<Pool, 'advance'>

/** Flies a steered world; returns the digest after each tick. */
export async function flyTicks(
  world: World,
  flier: Flier,
  ticks: number,
  without?: number,
): Promise<string[]> {
  const digests: string[] = []
  for (let i = 0; i < ticks; i++) {
    steer(world)
    await flyTick(world, flier)
    digests.push(digestOf(world, without))
  }
  return digests
}

export async function flyTick(world: World, flier: Flier): Promise<void> {
  const target = world.index + QUANTA_PER_TICK
  completeNear(world, target)
  writeOrders(world.intake, world.roster, world.state, target)
  for (const round of rounds(world, world.index, target, () => undefined)) {
    await flier.advance([round])
  }
  world.index = target
}

const DOCK: ManeuverOrder = { maneuver: 'dock', stationId: STATION, timeout: 1e6, params: [] }

const BURN = { index: START_INDEX + 8000, anchor: 'start', throttle: 0.7 } as const
const PLAN: ManeuverOrder = {
  maneuver: 'plan',
  timeout: 1e6,
  params: [],
  nodes: [
    { ...BURN, frame: 'prograde', body: 1, vector: [5, 1, 0] },
    { ...BURN, index: BURN.index + 7000, pointing: 'normal', seconds: 3 },
  ],
}

/** By the roll's last four bits; none for the others. */
const MANEUVERS: readonly (ManeuverOrder | undefined)[] = [
  { maneuver: 'circularize', timeout: 1e6, params: [] },
  { maneuver: 'set_orbit', timeout: 30, params: [7.5e6, 0.01, -2, 0, 0, 0] },
  { maneuver: 'escape', timeout: 1e6, params: [] },
  { maneuver: 'rendezvous', ship: 5, timeout: 1e6, params: [] },
  { maneuver: 'transfer', body: 1, timeout: 1e6, params: [] },
  PLAN,
]

/**
 * Every third ship gets a new throttle, every seventh a new attitude, at scattered indices; some
 * point at their neighbour, and some begin maneuvers, which the next throttle ends. Those beside
 * the station dock, leave and dock again.
 */
export function steer(world: World): void {
  const tick = (world.index - START_INDEX) / QUANTA_PER_TICK
  for (const entry of world.roster.byId.values()) {
    if (isVisitor(entry.number)) {
      const control = tick % 10 === 8 ? ({ undock: true } as const) : { maneuver: DOCK }
      if (tick % 10 === 0 || tick % 10 === 8) {
        acceptControl(world.intake, entry, control, world.index + entry.number, world.index)
      }
      continue
    }
    const roll = (entry.number * 31 + tick * 17) % 97
    if (roll % 3 !== 0) continue
    const attitude = [1, roll / 50, -roll / 90, 0.3] as const
    const control = {
      thrustLevel: (roll % 11) / 10,
      ...(roll % 7 === 0 && { attitude }),
      ...(roll % 7 === 3 && { pointing: 'target' as const, target: (entry.number % SHIPS) + 1 }),
    }
    const maneuver = MANEUVERS[roll % 16]
    const given = maneuver ? { maneuver } : control
    acceptControl(world.intake, entry, given, world.index + roll, world.index)
  }
}

/** Puts the rows of `hullStep` in the places of their ships. */
function bySlot(
  rows: { fill(value: number): void; set(row: Float64Array, at: number): void },
  { state: { ships } }: World,
): void {
  rows.fill(0)
  for (let slot = 0; slot < SHIPS; slot++) {
    const at = hullAt(ships, slot)
    if (at >= 0) rows.set(ships.hullStep.subarray(at, at + 15), 15 * slot)
  }
}

/**
 * Of every column of the ships' chunks but the rows that ships have in tables, which an image may
 * renumber; a restored world may hold more empty ones.
 *
 * @param without  slot that is left out
 */
function digestOf(world: World, without?: number): string {
  const chunks = Math.ceil(SHIPS / CHUNK_SLOTS)
  const { ships } = world.state
  const digest = createDigest()
  for (const { name, components } of SHIP_COLUMNS) {
    if (name === 'sighting' || name === 'hullRow') continue
    const values = ships[name].slice(0, chunks * CHUNK_SLOTS * components)
    if (name === 'hullStep') bySlot(values, world)
    if (without !== undefined) values.fill(0, without * components, (without + 1) * components)
    absorbBytes(digest, new Uint8Array(values.buffer))
  }
  finish(digest)
  return digestText(digest)
}
