import {
  type CommandRow,
  type Engine,
  type EngineClock,
  EngineError,
  type KeptRow,
  type ManeuverEvent,
  type RuleCondition,
  type ShipNotice,
  type SystemDigest,
  type SystemSetup,
  type Universe,
  type UniverseImage,
  type World,
  type WorldCommand,
  addShip,
  allShips,
  createUniverse,
  requireShip,
} from '@orrery/engine/testing'
import { BLOCK_QUANTA, CHUNK_SLOTS, type Control, FLYING, POINTINGS, type Round } from '@orrery/sim'
import { expect } from 'vitest'
import { dueAt, isDue } from '../../src/pool/chunk-queue.ts'
import type { FrozenShip } from '../../src/pool/pool.ts'
import { freezeShip } from '../../src/objects/fleet.ts'
import { pair, relaunch } from '../busy-world.ts'
import { START_INDEX, callingThread, globe } from '../globe.ts'
import { type SimulatedClock, createChance } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { testEngine } from '../test-engine.ts'

/** A row of one system's journal. */
export interface SystemRow extends KeptRow {
  readonly systemId: string
}

/** What a journal writes at once: commands, and the clock when they were taken. */
export interface Batch {
  readonly rows: readonly SystemRow[]
  readonly clock: EngineClock
}

/** An image of a running universe, and the number of events and notices by then. */
interface Station {
  readonly image: UniverseImage
  readonly maneuvers: number
  readonly notices: number
}

/** The complete record of a universe's run. */
export interface RecordedLife {
  readonly batches: readonly Batch[]
  readonly images: readonly Station[]
  readonly digests: readonly SystemDigest[]
  readonly maneuvers: readonly ManeuverEvent[]
  readonly notices: readonly ShipNotice[]
  readonly refusals: ReadonlySet<string>
  readonly end: UniverseImage
}

const ball = globe()
export const SYSTEMS: readonly SystemSetup[] = [
  pair(),
  { ...ball, system: { ...ball.system, bodies: [{ ...ball.system.bodies[0], name: 'Ball' }] } },
]

const SHIPS = byTier({ gate: 130, night: 270 })

/** Ships of both systems at most: few find no room. */
export const SHIPS_MAX: number = SHIPS + 30

const STEPS = byTier({ gate: 140, night: 220 })

/** Digests of most of so many blocks are published, however slowly time went. */
const BLOCKS = 5

const DEEDS_PER_STEP = 10

/** Rules that come true in every life. */
const SURE_RULES = 12

/** Steps before which images are taken. */
const IMAGE_STEPS = byTier({ gate: [30, 100], night: [50, 150] })

/** Ships that have orders before them. */
const WAITING = 3

/**
 * Two systems that are steered, paused, hurried, and changed at random, also while ticks run, with
 * ships that move from one to the other, by an engine whose journal is read in batches.
 *
 * @param onPublish  is called with the universe at first, and when it is published
 */
export async function recordedLife(
  seed: number,
  onPublish: (universe: Universe) => void = () => undefined,
): Promise<RecordedLife> {
  const random = createChance(seed).share
  const universe = populated()
  onPublish(universe)
  const base = callingThread(...universe.worlds)
  const open: CommandRow[] = []
  const digests: SystemDigest[] = []
  const maneuvers: ManeuverEvent[] = []
  const notices: ShipNotice[] = []
  const batches: Batch[] = []
  const images: Station[] = []
  const refusals = new Set<string>()
  const attempt = (doing: Promise<unknown>): Promise<unknown> =>
    doing.catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error
      refusals.add(error.code)
    })
  const deed = (): Promise<unknown> => attempt(someDeed(engine, random))
  const sequences: Record<string, number> = {}
  const frozen: FrozenShip[] = []
  /** of the first system, after the last image */
  const lastFreezes: FrozenShip[] = []
  const isFreezeDue = (): boolean => images.length > IMAGE_STEPS.length && lastFreezes.length === 0
  const { engine, clock } = testEngine({
    universe,
    pool: {
      ...base,
      advance: async (rounds) => {
        if (isFreezeDue() || random() < 0.05) {
          const freezes = someFreeze(universe, rounds, random)
          frozen.push(...freezes)
          if (isFreezeDue()) lastFreezes.push(...freezes.filter(({ place }) => place === 0))
        }
        await base.advance(rounds)
        if (random() < 0.2) void deed()
      },
      takeFrozen: () => frozen.splice(0),
    },
    journal: {
      admit: () => undefined,
      keep: (row) => {
        const before = sequences[row.systemId] ?? 0
        expect(row.sequence, `row of ${row.systemId}, seed ${seed}`).toBe(before + 1)
        sequences[row.systemId] = row.sequence
        open.push(row)
        return Promise.resolve()
      },
    },
    onPublish: () => onPublish(universe),
    onDigest: (digest) => digests.push(digest),
    onManeuver: (event) => maneuvers.push(event),
    onEvent: (notice) => notices.push(notice),
  })
  const batch = (): void => {
    const rows = open.splice(0).map(({ systemId, sequence, index, ...row }) => {
      return { systemId, sequence, index, command: row.seal() }
    })
    batches.push(structured({ rows, clock: engine.clock() }))
  }
  const photograph = async (): Promise<void> => {
    const image = await engine.image()
    images.push({ image, maneuvers: maneuvers.length, notices: notices.length })
  }
  await photograph()
  for (let i = 0; i < SURE_RULES; i++) await engine.execute(sureRule(i))
  for (const command of SURE_TRANSFERS) await engine.execute(command)
  for (const command of REFUSED) await attempt(engine.execute(command))
  for (let step = 0; step < STEPS; step++) {
    await someTime(engine, clock, random)
    for (let i = Math.floor(DEEDS_PER_STEP * random()); i > 0; i--) await deed()
    if (IMAGE_STEPS.includes(step)) {
      const ships = [...allShips(universe)].slice(0, WAITING)
      for (const { shipId } of ships) {
        await attempt((async () => engine.control(shipId, { thrustLevel: random() }))())
      }
      await photograph()
      // Some of these would still merge with what the image has.
      for (let i = 0; i < DEEDS_PER_STEP; i++) await deed()
    }
    if (random() < 0.4) batch()
  }
  engine.changeTickRate(10)
  engine.changeTimeScale(20)
  await engine.resume()
  while (universe.worlds[0].index < START_INDEX + BLOCKS * BLOCK_QUANTA) await clock.advance(100)
  await engine.pause()
  batch()
  const end = await engine.image()
  await engine.stop()
  return { batches, images, digests, maneuvers, notices, refusals, end }
}

/** Freezes a ship as a pool does whose workers fail with it. */
function someFreeze(
  { worlds }: Universe,
  rounds: readonly (Round | undefined)[],
  random: () => number,
): FrozenShip[] {
  const place = Math.floor(worlds.length * random())
  const [world, round] = [worlds[place], rounds[place]]
  const entries = [...world.roster.byId.values()]
  const { slot, number: shipNumber } = entries[Math.floor(entries.length * random())]
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  if (!round || world.state.ships.condition[slot] !== FLYING) return []
  if (!isDue(world.state, chunk, round)) return []
  const index = Math.min(dueAt(world.state, chunk), round.target)
  freezeShip(world, slot, index)
  return [{ place, shipNumber, index }]
}

/** As a database gives it back. */
function structured(batch: Batch): Batch {
  return JSON.parse(JSON.stringify(batch)) as Batch
}

function populated(): Universe {
  const universe = createUniverse({
    systems: SYSTEMS,
    index: START_INDEX,
    seed: 'life',
    shipsMax: SHIPS_MAX,
  })
  for (let i = 0; i < SHIPS; i++) {
    const world = universe.worlds[i % 2]
    const { slot } = addShip(world, `ship-${i}`, `Ship ${i}`)
    if (i % 13 === 5) relaunch(world, slot, 0, [6.4e6 + 9000 * i, 0, 10 * i], [-900, 300, 0])
  }
  return universe
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
  await clock.advance(roll < 0.6 ? 60 * random() : 900 * random())
}

async function someDeed(engine: Engine, random: () => number): Promise<void> {
  const roll = random()
  const ids = Array.from(allShips(engine.universe), (ship) => ship.shipId)
  // Few pilots, so that their commands meet at one boundary.
  const shipId = ids[Math.floor((roll < 0.5 ? 6 : ids.length) * random())]
  const { world } = requireShip(engine.universe, shipId)
  if (roll < 0.76) engine.control(shipId, someControl(world, random), null)
  else if (roll < 0.84) await engine.execute(someRule(world, shipId, random))
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

/** A rule that comes true by itself, however the life goes, unless its ship is removed. */
function sureRule(i: number): WorldCommand {
  const above = START_INDEX + (i + 1) * (BLOCK_QUANTA / 8)
  const condition: RuleCondition = { kind: 'time', above }
  const named = { ruleId: 'sure', name: 'Sure', source: '{}' }
  const rule = { ...named, once: false, armed: true, condition }
  return { kind: 'create_rule', shipId: `ship-${SHIPS - 1 - i}`, rule }
}

const SURE_TRANSFERS: readonly WorldCommand[] = [
  { kind: 'transfer_ship', shipId: `ship-${SHIPS - 20}`, systemId: 'alone' },
  { kind: 'transfer_ship', shipId: `ship-${SHIPS - 19}`, systemId: 'pair' },
]

/** For four reasons. */
const REFUSED: readonly WorldCommand[] = [
  { kind: 'create_ship', shipId: 'ship-0', name: 'Again' },
  { kind: 'remove_ship', shipId: 'unknown' },
  { kind: 'remove_station', stationId: 'nowhere' },
  { kind: 'remove_jumpgate', jumpgateId: 'nowhere' },
]

/** Values that ships near the ground, in its orbits and among each other meet soon. */
function someRule(world: World, shipId: string, random: () => number): WorldCommand {
  const numbers = [...world.roster.byNumber.keys()]
  const ship = numbers[Math.floor((random() < 0.5 ? 10 : numbers.length) * random())]
  const side = random() < 0.5 ? 'above' : 'below'
  const conditions: readonly RuleCondition[] = [
    { kind: 'altitude', [side]: 4e5 + 2e5 * random() },
    { kind: 'distance', [side]: 1e7 * random(), body: 0 },
    { kind: 'distance', [side]: 1e7 * random(), ship },
    { kind: 'speed', [side]: 7500 + 200 * random() },
    { kind: 'speed', [side]: 8000 * random(), ship },
    { kind: 'fuel', below: 0.9 + 0.1 * random() },
    { kind: 'apsis', [side]: 0 },
    { kind: 'time', above: START_INDEX + Math.floor(BLOCKS * BLOCK_QUANTA * random()) },
    { kind: 'maneuver_end', outcome: random() < 0.8 ? 'any' : 'aborted' },
    { kind: 'distance', [side]: 1e7 * random(), stationId: `${Math.floor(20 * random())}` },
    { kind: 'altitude', above: NaN },
  ]
  const rule = {
    ruleId: `rule-${Math.floor(4 * random())}`,
    name: 'Rule',
    source: '{}',
    once: random() < 0.3,
    armed: random() < 0.9,
    condition: conditions[Math.floor(conditions.length * random())],
    ...(random() < 0.7 && { order: someControl(world, random) }),
  }
  const roll = random()
  if (roll < 0.7) return { kind: 'create_rule', shipId, rule }
  if (roll < 0.8) return { kind: 'change_rule', shipId, rule }
  return { kind: 'remove_rule', shipId, ruleId: rule.ruleId }
}

function someCommand(shipId: string, random: () => number): WorldCommand {
  const id = `${Math.floor(20 * random())}`
  const name = `Name ${id}`
  const commands: readonly WorldCommand[] = [
    { kind: 'create_ship', shipId: `new-${Math.floor(1e6 * random())}`, name },
    { kind: 'create_ship', shipId: `ship-${id}`, name },
    { kind: 'create_ship', shipId: `guest-${Math.floor(1e6 * random())}`, name, beside: shipId },
    { kind: 'remove_ship', shipId },
    { kind: 'rename_ship', shipId, name },
    { kind: 'transfer_ship', shipId, systemId: 'alone' },
    { kind: 'transfer_ship', shipId, systemId: 'pair' },
    { kind: 'transfer_ship', shipId, systemId: random() < 0.5 ? 'alone' : 'pair' },
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
      jumpgateId: `gate-${id}`,
      name,
      primaryBody: 'Globe',
      secondaryBody: 'Moon',
      lagrangePoint: 4,
    },
    { kind: 'remove_jumpgate', jumpgateId: `gate-${id}` },
    { kind: 'maneuver_logging', level: random() < 0.3 ? 'normal' : 'verbose' },
    { kind: 'maneuver_debug', shipId, enabled: random() < 0.5 },
  ]
  return commands[Math.floor(commands.length * random())]
}
