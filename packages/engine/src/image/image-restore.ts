import {
  advanceChunk,
  CHUNK_SLOTS,
  createMassiveState,
  EMPTY,
  PHYSICS,
  reopenSteps,
  updateChunkDue,
} from '@orrery/sim'
import type { GameClock } from '../time/game-clock.ts'
import { EngineError } from '../engine-error.ts'
import { restoreCommanded } from './commanded-attitudes.ts'
import type { ImageHeader } from './image-header.ts'
import {
  CLASSED_DOUBLES,
  COMMANDED_DOUBLES,
  INVARIANT_DOUBLES,
  PLANNED_DOUBLES,
  TIMED_DOUBLES,
  anchorParts,
  shipRows,
} from './image-layout.ts'
import { type OpenedImage, openImage } from './image-opening.ts'
import type { WorldImage } from './image.ts'
import { restoreClasses } from './kept-classes.ts'
import { restorePlans } from './kept-plans.ts'
import { restoreRules } from '../rules/kept-rules.ts'
import { addPending } from '../world/intake.ts'
import { restoreManeuvers } from '../maneuvers/maneuver-log.ts'
import type { Jumpgate, Station } from '../world/rail-objects.ts'
import { restoreRails } from '../objects/rails.ts'
import { enterRoster } from '../world/roster.ts'
import { layModuleRails } from '../objects/module-rails.ts'
import { restoreModules } from '../world/world-modules.ts'
import { type Sliced, atOnce } from '../time/slices.ts'
import {
  type SystemSetup,
  type World,
  type WorldSetup,
  extendNear,
  layOutWorld,
} from '../world/world.ts'

/** The parts of an image that a running world is made of. */
export interface RestoredWorld {
  readonly world: World
  readonly gameClock: GameClock
  readonly tick: number
}

/** What an image does not hold. */
type Room = Pick<WorldSetup, 'system' | 'shipsMax' | 'kernel' | 'massiveKernel' | 'modules'>

/**
 * Rebuilds a world from its image, bit for bit; open steps are made again. Columns are matched by
 * name, so an image of an older layout opens; what it lacks starts at zero.
 *
 * @param room  the catalog's system, whose `start` is taken from the image, and what the image does
 *   not hold
 * @throws {EngineError} 'ERR_IMAGE' when header, system, size or checksum do not fit
 */
export function restoreWorld({ header, bytes }: WorldImage, room: Room): RestoredWorld {
  const opened = openImage(header, bytes)
  const { head } = opened
  return { world: atOnce(openedWorld(opened, room)), gameClock: imageClock(head), tick: head.tick }
}

/** The world of an opened image. @throws {EngineError} 'ERR_IMAGE' when they do not fit */
export function* openedWorld(opened: OpenedImage, room: Room): Sliced<World> {
  const { head, roster, pending, maneuvers } = opened
  const { system, shipsMax, kernel, massiveKernel, modules } = room
  assertSameSystem(head.system, system)
  const { setup, commanded, plans, burns, classes, ofModules } = startOf(system, opened)
  const world = layOutWorld({
    system: setup,
    index: head.index,
    seed: head.seed,
    shipsMax: Math.max(shipsMax, shipRows(head)),
    kernel,
    massiveKernel,
    classes: head.classes,
    modules,
  })
  while (extendNear(world)) yield
  world.settled = head.settled ?? head.index
  world.since = world.settled
  world.physicsBefore = head.physics === PHYSICS ? head.before : (head.before ?? head.physics)
  const { state, intake, flight } = world
  opened.readShips(state.ships)
  opened.readSightings(state.sightings)
  restoreClasses(state, classes)
  enterShips(world, roster)
  restoreCommanded(state, commanded)
  restorePlans(state, plans)
  restorePlans(state, burns, 'burnNodes')
  restoreObjects(world, head)
  restoreRules(world, opened.rules)
  restoreModules(world, head.modules ?? [], ofModules, head.index)
  layModuleRails(world)
  const isOpen = head.columns.some(({ name }) => name === 'stepEnd')
  for (let chunk = 0; chunk < head.chunks; chunk++) {
    if (!isOpen) reopenSteps(flight, chunk)
    updateChunkDue(flight, chunk, head.index)
    // Another physics may make shorter steps, which end before the index.
    if (head.physics !== PHYSICS) advanceChunk(flight, chunk, head.index)
    yield
  }
  intake.sequence = head.sequence
  world.roster.nextNumber = head.nextNumber
  for (const { ship: number, ...command } of pending) {
    const ship = world.roster.byNumber.get(number)
    if (ship) addPending(intake, { ship, ...command })
  }
  restoreManeuvers(world.maneuvers, maneuvers)
  return world
}

/** The game clock as it stood when an image was made. */
export function imageClock({
  index,
  remainder,
}: Pick<ImageHeader, 'index' | 'remainder'>): GameClock {
  return { index, remainder: BigInt(remainder[0]), denominator: BigInt(remainder[1]) }
}

function restoreObjects(world: World, { stations, jumpgates }: ImageHeader): void {
  const stationsWithRows = restoreRails<Station>(world, stations, ({ stationId }) => stationId)
  for (const station of stationsWithRows) world.stations.set(station.stationId, station)
  const gatesWithRows = restoreRails<Jumpgate>(world, jumpgates, ({ jumpgateId }) => jumpgateId)
  for (const gate of gatesWithRows) world.jumpgates.set(gate.jumpgateId, gate)
}

/** Enters the ships into the roster, in the slots with their numbers. */
function enterShips({ state, roster }: World, ships: OpenedImage['roster']): void {
  const { condition, shipNumber } = state.ships
  const slots = new Map<number, number>()
  for (let slot = 0; slot < state.slots; slot++) {
    if (condition[slot] !== EMPTY) slots.set(shipNumber[slot], slot)
  }
  if (slots.size !== ships.length) {
    const message = `The image names ${ships.length} ships when its state has ${slots.size}.`
    throw new EngineError('ERR_IMAGE', message)
  }
  for (const ship of ships) {
    const slot = slots.get(ship.number)
    if (slot === undefined || roster.byNumber.has(ship.number) || roster.byId.has(ship.shipId)) {
      throw new EngineError(
        'ERR_IMAGE',
        `Ship ${ship.shipId}, number ${ship.number}, is not in the state, or named twice.`,
      )
    }
    enterRoster(roster, { ...ship, slot })
    state.chunk.chunkShips[Math.floor(slot / CHUNK_SLOTS)]++
  }
}

/** The system as it starts, and what single ships have beside columns, from an image's doubles. */
function startOf(
  system: SystemSetup,
  { head, doubles }: OpenedImage,
): {
  readonly setup: SystemSetup
  readonly commanded: Float64Array
  readonly plans: Float64Array
  readonly burns: Float64Array
  readonly classes: Float64Array
  readonly ofModules: Float64Array
} {
  const { bodies, node } = head.system
  const start = Object.assign(createMassiveState(bodies), { node })
  const reference = new Float64Array(INVARIANT_DOUBLES)
  let at = 0
  for (const part of [...anchorParts(start), reference]) {
    part.set(doubles.subarray(at, at + part.length))
    at += part.length
  }
  // Another physics has other energies.
  const setup = { ...system, start, ...(head.physics === PHYSICS && { reference }) }
  const plansAt = at + COMMANDED_DOUBLES * head.commanded
  const burnsAt = plansAt + PLANNED_DOUBLES * (head.plans ?? 0)
  const classesAt = burnsAt + TIMED_DOUBLES * (head.timed ?? 0)
  const modulesAt = classesAt + CLASSED_DOUBLES * (head.classed ?? 0)
  return {
    setup,
    commanded: doubles.subarray(at, plansAt),
    plans: doubles.subarray(plansAt, burnsAt),
    burns: doubles.subarray(burnsAt, classesAt),
    classes: doubles.subarray(classesAt, modulesAt),
    ofModules: doubles.subarray(modulesAt),
  }
}

function assertSameSystem(theirs: ImageHeader['system'], { system }: SystemSetup): void {
  if (theirs.id === system.id && theirs.bodies === system.bodies.length) return
  const found = `${theirs.id} (${theirs.bodies} bodies)`
  const expected = `${system.id} (${system.bodies.length} bodies)`
  throw new EngineError('ERR_IMAGE', `Image holds system ${found} when ${expected} is expected.`)
}
