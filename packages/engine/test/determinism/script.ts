/** The scripted world, as data: the orbits of its ships, and their commands by index. */
import {
  type Checkpoints,
  bodyIndex,
  checkpointAtOrBefore,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  BURN_FRAMES,
  BURN_POINTINGS,
  type BurnNode,
  CHUNK_SLOTS,
  CONTROL_QUANTA,
  type Control,
  type ManeuverOrder,
  NODE_QUANTA,
  POINTINGS,
  QUANTA_PER_SECOND,
  launch,
  placeOnSpawnOrbit,
  spheresOfInfluence,
} from '@orrery/sim'
import { DOCKERS, giveRules, placeBeside } from './script-rules.ts'
import { type SystemSetup, type World, createWorld } from '../../src/world/world.ts'
import { addShip } from '../../src/objects/fleet.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import { CLASSES } from '../tug.ts'

const SHIPS = 300
const COMMANDS = 500

/** Ships that chase another all the time, each the next, the last one the first. */
const CHASERS = 40

/** Times that a chaser gets its order again: some fall to the ground and lose it. */
const CHASES = 3

/** Eight chunks that the ships are scattered over, so that every worker has some. */
export const SLOTS: number = 8 * CHUNK_SLOTS

const SEED = 20_263

/** A checkpoint's node, in 2030, and the first index that is clear of it. */
const CHECKPOINT_NODE = 8192 * 451
export const START_INDEX: number = (CHECKPOINT_NODE + 3) * NODE_QUANTA

/** In an order, the ship of its command's `quarry`. */
export const QUARRY = 0

const STATION = 'station'

/** Some ships that dock leave so much later: 48 s. */
const LEAVE_QUANTA = 48 * QUANTA_PER_SECOND

/** One ship hits the Earth within two minutes [m], [m/s]. */
const FALL_FROM = 6.5e6
const FALL_SPEED = -1000

/** Every third ship circles one of these instead of Earth. */
const ABROAD = ['Moon', 'Mars', 'Phobos', 'Jupiter', 'Io', 'Saturn', 'Triton', 'Pluto']

export interface ScriptedCommand {
  readonly index: number
  /** place in the script's list of ships */
  readonly ship: number
  /** for pointing 'target' and maneuvers, the ship to chase: a place in the same list */
  readonly quarry: number
  readonly control: Control
}

/** The solar system as the scripted world has it, from a checkpoint of its catalog. */
export function scriptedSystem(checkpoints: Checkpoints): SystemSetup {
  return {
    system: solSystem,
    territory: {
      home: bodyIndex(solSystem, 'Earth'),
      spheres: spheresOfInfluence(solSystem, solStateJ2000()),
    },
    start: checkpointAtOrBefore(checkpoints, CHECKPOINT_NODE),
  }
}

/** Both kernels in WebAssembly, as files; without them the TypeScript twins. */
export interface Kernels {
  readonly kernel: Uint8Array
  readonly massiveKernel: Uint8Array
}

/**
 * The world at its start; its roster lists the script's ships in order.
 *
 * @param isMixed  every other ship is of a second class
 */
export function scriptedWorld(
  system: SystemSetup,
  kernels: Kernels | undefined,
  isMixed: boolean,
): World {
  const classes = isMixed ? CLASSES : CLASSES.slice(0, 1)
  const setup = { system, index: START_INDEX, seed: 'script', shipsMax: SLOTS }
  const world = createWorld({ ...setup, ...kernels, classes })
  const { state, flight } = world
  const all = Array.from({ length: SLOTS }, (_, i) =>
    addShip(world, `ship-${i}`, `Ship ${i}`, classes[i % classes.length].name),
  )
  const stays = (i: number): boolean =>
    Math.floor((i * SHIPS) / SLOTS) < Math.floor(((i + 1) * SHIPS) / SLOTS)
  for (const [i, { shipId }] of all.entries()) {
    if (!stays(i)) applyCommand(world, { kind: 'remove_ship', shipId })
  }
  applyCommand(world, {
    kind: 'create_station',
    stationId: STATION,
    name: 'Station',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 420_000 },
  })
  for (const [i, { slot }] of [...world.roster.byId.values()].entries()) {
    if (i % 3 !== 2) continue
    const body = bodyIndex(solSystem, ABROAD[Math.floor(i / 3) % ABROAD.length])
    placeOnSpawnOrbit(state, slot, body, world.index)
    state.ships.reference[slot] = body
    launch(flight, slot, world.index)
  }
  const faller = world.roster.byId.values().next().value!
  state.ships.position.set([FALL_FROM, 0, 0], 3 * faller.slot)
  state.ships.velocity.set([FALL_SPEED, 0, 0], 3 * faller.slot)
  launch(flight, faller.slot, world.index)
  const entries = [...world.roster.byId.values()]
  for (let i = 3; i < SHIPS; i += DOCKERS) placeBeside(world, entries[i], STATION)
  giveRules(world)
  return world
}

/** What is commanded within a span, by rising index; a pure function of its length. */
export function scriptedCommands(seconds: number): readonly ScriptedCommand[] {
  const boundaries = (seconds * QUANTA_PER_SECOND) / CONTROL_QUANTA
  const draw = draws(SEED)
  const chases = Array.from({ length: CHASES * CHASERS }, (_, i) => {
    const round = Math.floor(i / CHASERS)
    const index = START_INDEX + CONTROL_QUANTA * (1 + Math.floor((round * boundaries) / CHASES))
    const control: Control = { pointing: 'target', thrustLevel: 0.002 * (1 + draw(10)) }
    return { index, ship: chaser(i), quarry: chaser(i + 1), control }
  })
  const docks = Array.from({ length: SHIPS / DOCKERS }, (_, i) => {
    const stays = { maneuver: 'dock', stationId: STATION, timeout: 60, params: [] } as const
    const index = START_INDEX + CONTROL_QUANTA * (1 + i)
    return { index, ship: 3 + DOCKERS * i, quarry: 0, control: { maneuver: stays } }
  })
  const leaves = docks.slice(0, 5).map((dock) => {
    return { ...dock, index: dock.index + LEAVE_QUANTA, control: { undock: true } as const }
  })
  const others = Array.from({ length: COMMANDS - chases.length }, () => {
    const index = START_INDEX + CONTROL_QUANTA * (1 + draw(boundaries - 1))
    const ship = draw(SHIPS)
    return {
      index,
      ship,
      quarry: (ship + 1 + draw(SHIPS - 1)) % SHIPS,
      control: control(draw, index),
    }
  })
  return [...chases, ...docks, ...leaves, ...others].toSorted((a, b) => a.index - b.index)
}

/** Chasers and chased sit in all chunks. */
function chaser(i: number): number {
  return ((i % CHASERS) * 7) % SHIPS
}

function control(draw: (below: number) => number, index: number): Control {
  const kind = draw(14)
  if (kind > 10) return { maneuver: maneuver(draw, index) }
  if (kind === 10) return { pointing: 'target', ...target(draw) }
  const level = draw(4) === 0 ? 0 : draw(1001) / 1000
  const thrust = { thrustLevel: level, ...(level > 0 && burn(draw)) }
  if (kind === 8) return { ...thrust, unloading: draw(2) === 0 }
  if (kind < 2) return thrust
  const part = (): number => (draw(2001) - 1000) / 1000
  const attitude = { attitude: [1.5, part(), part(), part()] as const }
  if (kind < 4) return attitude
  if (kind === 9) return { angularRate: [0.04 * part(), 0.04 * part(), 0.04 * part()] }
  if (kind === 4) return { ...thrust, ...attitude }
  const pointing = { pointing: POINTINGS[draw(POINTINGS.length)] }
  return kind === 5 ? { ...thrust, ...pointing } : pointing
}

/** A body, or the station, which is nowhere in half of all cases. */
function target(draw: (below: number) => number): Control {
  const kind = draw(4)
  if (kind < 2) return { body: draw(solSystem.bodies.length) }
  return { stationId: kind === 2 ? STATION : 'nowhere' }
}

/** What the autopilot is to fly; some run out of time. */
function maneuver(draw: (below: number) => number, index: number): ManeuverOrder {
  const timeout = draw(3) === 0 ? 10 + draw(50) : 1e8
  const kind = draw(9)
  const order = (name: ManeuverOrder['maneuver'], ...params: number[]): ManeuverOrder => {
    return { maneuver: name, timeout, params }
  }
  if (kind === 0) return order('circularize')
  if (kind === 1) return order('set_orbit', 7e6 + 1000 * draw(1000), draw(100) / 1000, -2)
  if (kind === 2) return order('set_orbit', 0, -1, 0.8, 0.6, 0, 0, draw(2) / 1000)
  if (kind === 3) return order('escape')
  if (kind === 4) return { ...order('transfer', 0), body: bodyIndex(solSystem, 'Moon') }
  if (kind === 5) return { ...order('hold_station'), ship: QUARRY }
  if (kind === 8) return { ...order('plan'), nodes: burns(draw, index) }
  const near = { ...order(kind === 6 ? 'rendezvous' : 'hold_station'), stationId: STATION }
  return draw(2) === 0 ? near : { ...order('rendezvous'), ship: QUARRY }
}

/** Two burns, the first while a short flight still lasts. */
function burns(draw: (below: number) => number, index: number): BurnNode[] {
  const at = (seconds: number) => index + QUANTA_PER_SECOND * seconds + draw(QUANTA_PER_SECOND)
  const part = (): number => draw(21) - 10
  const frame = BURN_FRAMES[draw(BURN_FRAMES.length)]
  const pointing = BURN_POINTINGS[draw(BURN_POINTINGS.length)]
  return [
    {
      index: at(105),
      anchor: 'center',
      throttle: (1 + draw(8)) / 8,
      frame,
      vector: [part(), part(), 1 + draw(10)],
    },
    { index: at(400), anchor: 'start', throttle: 1, pointing, seconds: 1 + draw(20) / 8 },
  ]
}

/** An end for a third of all thrust. */
function burn(draw: (below: number) => number): Control {
  const amount = (1 + draw(1000)) / 8
  const kind = draw(6)
  if (kind > 1) return {}
  return kind === 0 ? { deltaV: amount } : { seconds: amount }
}

/** Whole numbers by the generator of Park and Miller, exact in a double. */
function draws(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * below)
  }
}
