import {
  type CommandRow,
  type Control,
  type Engine,
  type EngineClock,
  EngineError,
  type KeptRow,
  type ManeuverEvent,
  type ShipNotice,
  type SystemSetup,
  type World,
  type WorldCommand,
  type WorldImage,
  addShip,
  createWorld,
} from '@orrery/engine'
import { BLOCK_QUANTA, POINTINGS, type WorldDigest } from '@orrery/sim'
import { expect } from 'vitest'
import { pair, relaunch } from './busy-world.ts'
import { START_INDEX, callingThread, globe } from './globe.ts'
import { type SimulatedClock, createChance } from '@orrery/testkit'
import { testEngine } from './test-engine.ts'

/** What a journal writes at once: commands, and the clock when they were taken. */
export interface Batch {
  readonly rows: readonly KeptRow[]
  readonly clock: EngineClock
}

/** An image of a running world, and the number of events and notices by then. */
interface Station {
  readonly image: WorldImage
  readonly maneuvers: number
  readonly notices: number
}

/** The complete record of a world's run. */
export interface RecordedLife {
  readonly batches: readonly Batch[]
  readonly images: readonly Station[]
  readonly digests: readonly WorldDigest[]
  readonly maneuvers: readonly ManeuverEvent[]
  readonly notices: readonly ShipNotice[]
  readonly refusals: ReadonlySet<string>
  readonly end: WorldImage
}

const ball = globe()
export const SYSTEMS: readonly SystemSetup[] = [
  pair(),
  { ...ball, system: { ...ball.system, bodies: [{ ...ball.system.bodies[0], name: 'Ball' }] } },
]

/** Slots of the world: three chunks, of which one stays free for ships that come or move. */
export const SHIPS_MAX = 768

const SHIPS = 270
const STEPS = 220

/** Digests of most of so many blocks are published, however slowly time went. */
const BLOCKS = 5

const DEEDS_PER_STEP = 8

/**
 * A world that is steered, paused, hurried, and changed at random, also while ticks run, by an
 * engine whose journal is read in batches.
 */
export async function recordedLife(seed: number): Promise<RecordedLife> {
  const random = createChance(seed).share
  const world = populated()
  const base = callingThread(world)
  const open: CommandRow[] = []
  const digests: WorldDigest[] = []
  const maneuvers: ManeuverEvent[] = []
  const notices: ShipNotice[] = []
  const batches: Batch[] = []
  const images: Station[] = []
  const refusals = new Set<string>()
  const deed = (): Promise<void> => {
    const doing = someDeed(engine, world, random)
    return doing.catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error
      refusals.add(error.code)
    })
  }
  let sequence = 0
  const { engine, clock } = testEngine({
    world,
    pool: {
      ...base,
      advance: async (target, meetingOnly) => {
        await base.advance(target, meetingOnly)
        if (random() < 0.2) void deed()
      },
    },
    journal: {
      admit: () => undefined,
      keep: (row) => {
        expect(row.sequence, `row of seed ${seed}`).toBe(++sequence)
        open.push(row)
        return Promise.resolve()
      },
    },
    onDigest: (digest) => digests.push(digest),
    onManeuver: (event) => maneuvers.push(event),
    onEvent: (notice) => notices.push(notice),
  })
  const batch = (): void => {
    const rows = open
      .splice(0)
      .map((row) => ({ sequence: row.sequence, index: row.index, command: row.seal() }))
    batches.push(structured({ rows, clock: engine.clock() }))
  }
  const photograph = async (): Promise<void> => {
    const image = await engine.image()
    images.push({ image, maneuvers: maneuvers.length, notices: notices.length })
  }
  await photograph()
  for (let step = 0; step < STEPS; step++) {
    await someTime(engine, clock, random)
    for (let i = Math.floor(DEEDS_PER_STEP * random()); i > 0; i--) await deed()
    if (step % 100 === 50) {
      await photograph()
      // Some of these would still merge with what the image has.
      for (let i = 0; i < DEEDS_PER_STEP; i++) await deed()
    }
    if (random() < 0.4) batch()
  }
  engine.releaseUndurable()
  engine.changeTickRate(10)
  engine.changeTimeScale(20)
  await engine.resume()
  while (world.index < START_INDEX + BLOCKS * BLOCK_QUANTA) await clock.advance(100)
  await engine.pause()
  batch()
  const end = await engine.image()
  await engine.stop()
  return { batches, images, digests, maneuvers, notices, refusals, end }
}

/** As a database gives it back. */
function structured(batch: Batch): Batch {
  return JSON.parse(JSON.stringify(batch)) as Batch
}

function populated(): World {
  const world = createWorld({
    systems: SYSTEMS,
    index: START_INDEX,
    seed: 'life',
    shipsMax: SHIPS_MAX,
  })
  for (let i = 0; i < SHIPS; i++) {
    const { slot } = addShip(world, `ship-${i}`, `Ship ${i}`)
    if (i % 13 === 5) relaunch(world, slot, 0, [6.4e6 + 9000 * i, 0, 10 * i], [-900, 300, 0])
  }
  return world
}

/** Lets time pass, and changes how it does. */
async function someTime(
  engine: Engine,
  clock: SimulatedClock,
  random: () => number,
): Promise<void> {
  const roll = random()
  if (roll < 0.05) engine.changeTickRate([0.7, 2, 7.3, 10, 30][Math.floor(5 * random())])
  else if (roll < 0.1) engine.changeTimeScale([0.1, 1, 3.7, 12, 40][Math.floor(5 * random())])
  else if (roll < 0.12) await engine.pause()
  else if (roll < 0.22) await engine.resume()
  else if (roll < 0.24) engine.holdUndurable()
  else if (roll < 0.34) engine.releaseUndurable()
  await clock.advance(roll < 0.6 ? 60 * random() : 900 * random())
}

async function someDeed(engine: Engine, world: World, random: () => number): Promise<void> {
  const roll = random()
  const ids = [...world.roster.byId.keys()]
  // Few pilots, so that their commands meet at one boundary.
  const shipId = ids[Math.floor((roll < 0.5 ? 6 : ids.length) * random())]
  if (roll < 0.9) engine.control(shipId, someControl(world, random), null)
  else await engine.execute(someCommand(shipId, random))
}

function someControl(world: World, random: () => number): Control {
  const pointing = POINTINGS[Math.floor(POINTINGS.length * random())]
  const numbers = [...world.roster.byNumber.keys()]
  const roll = random()
  const thrust = random() < 0.5 && { thrustLevel: random() < 0.2 ? -0 : random() }
  if (roll < 0.3) return { ...thrust, attitude: [random() - 0.5, random(), -0, random()] }
  if (roll < 0.4) return { ...thrust, pointing: 'rest', abort: true }
  if (roll < 0.7 && pointing !== 'target') return { ...thrust, pointing }
  if (roll < 0.9) {
    const target = numbers[Math.floor((random() < 0.5 ? 10 : numbers.length) * random())]
    return { ...thrust, pointing: 'target', target }
  }
  return { thrustLevel: random() }
}

function someCommand(shipId: string, random: () => number): WorldCommand {
  const id = `${Math.floor(20 * random())}`
  const name = `Name ${id}`
  const commands: readonly WorldCommand[] = [
    { kind: 'create_ship', shipId: `new-${Math.floor(1e6 * random())}`, name },
    { kind: 'create_ship', shipId: `ship-${id}`, name },
    { kind: 'remove_ship', shipId },
    { kind: 'rename_ship', shipId, name },
    { kind: 'transfer_ship', shipId, systemId: random() < 0.7 ? 'alone' : 'pair' },
    {
      kind: 'create_station',
      stationId: id,
      name,
      parentBody: random() < 0.5 ? 'Globe' : 'Ball',
      placement: { kind: 'orbit', altitude: 1e6 * random() },
    },
    { kind: 'remove_station', stationId: id },
    {
      kind: 'create_jumpgate',
      jumpgateId: id,
      name,
      primaryBody: 'Globe',
      secondaryBody: 'Moon',
      lagrangePoint: 4,
    },
    { kind: 'remove_jumpgate', jumpgateId: id },
    { kind: 'maneuver_logging', level: random() < 0.3 ? 'normal' : 'verbose' },
    { kind: 'maneuver_debug', shipId, enabled: random() < 0.5 },
  ]
  return commands[Math.floor(commands.length * random())]
}
