import {
  CHUNK_SLOTS,
  type MassiveState,
  POINTINGS,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  anchorAt,
  columnBytes,
  columnViews,
  createMassiveState,
  updateChunkDue,
} from '@orrery/sim'
import type { GameClock } from './clock.ts'
import { EngineError } from './engine-error.ts'
import { FORMAT, type ImageHeader, assertSoundHeader } from './image-header.ts'
import { type Control, addPending } from './intake.ts'
import { restoreManeuvers, storedManeuvers } from './maneuver-log.ts'
import { enterRoster } from './roster.ts'
import { type SystemSetup, type World, type WorldSetup, createWorld, startNode } from './world.ts'

/**
 * Doubles of one waiting command: ship number, index, sequence, throttle, attitude, pointing (by
 * the number of pointings more when it aborts) and target. NaN stands for what the command leaves
 * alone.
 */
const PENDING_DOUBLES = 10

/** Energy and three components of angular momentum, each a double-double. */
const INVARIANT_DOUBLES = 8

type AnyColumn = ReturnType<typeof columnViews>[string]

/** A world at rest: what people can read in the header, all state in the bytes. */
export interface WorldImage {
  readonly header: ImageHeader
  readonly bytes: Uint8Array
}

/**
 * Copies a world that no tick moves.
 *
 * ```
 * | ships of used chunks | sightings | anchor and drift reference per system | waiting commands |
 * ```
 */
export function worldImage(world: World, clock: GameClock, tick: number): WorldImage {
  const { state, roster, intake } = world
  const systems = [...state.chunk.chunkSystem]
  const chunks = systems.findLastIndex((system) => system >= 0) + 1
  const anchors = world.integrations.map((integration) =>
    anchorAt(integration, startNode(world.index)),
  )
  const header: ImageHeader = {
    format: FORMAT,
    seed: world.setup.seed,
    index: world.index,
    ...(world.settled > world.index && { settled: world.settled }),
    tick,
    remainder: [String(clock.remainder), String(clock.denominator)],
    sequence: intake.sequence,
    nextNumber: roster.nextNumber,
    columns: SHIP_COLUMNS,
    sightingColumns: SIGHTING_COLUMNS,
    sightings: state.sightings.watcher.findLastIndex((watcher) => watcher >= 0) + 1,
    chunkSystems: systems.slice(0, chunks),
    systems: anchors.map(({ node }, i) => {
      const { id, bodies } = state.systems[i]
      return { id, bodies: bodies.length, node }
    }),
    // Entries change with the world, an image does not.
    ships: Array.from(roster.byId.values(), (entry) => ({ ...entry })),
    stations: [...world.stations.values()],
    jumpgates: [...world.jumpgates.values()],
    pending: intake.pending.length,
    maneuvers: storedManeuvers(world.maneuvers),
  }
  const bytes = new Uint8Array(imageBytes(header))
  const columns = columnViews(SHIP_COLUMNS, bytes.buffer, 0, chunks * CHUNK_SLOTS)
  for (const { name } of SHIP_COLUMNS) {
    columns[name].set(state.ships[name].subarray(0, columns[name].length))
  }
  const rows = columnBytes(SHIP_COLUMNS, chunks * CHUNK_SLOTS)
  const sighted = columnViews(SIGHTING_COLUMNS, bytes.buffer, rows, header.sightings)
  for (const { name } of SIGHTING_COLUMNS) {
    sighted[name].set(state.sightings[name].subarray(0, sighted[name].length))
  }
  const doubles = new Float64Array(bytes.buffer, tableBytes(header))
  let at = 0
  const parts = anchors.flatMap((anchor, i) => [
    ...anchorParts(anchor),
    world.integrations[i].reference,
  ])
  for (const part of parts) {
    doubles.set(part, at)
    at += part.length
  }
  for (const { ship, index, sequence, control } of intake.pending) {
    const { thrustLevel = NaN, attitude = [NaN, NaN, NaN, NaN], pointing, target = NaN } = control
    const abortCode = control.abort ? POINTINGS.length : 0
    const pointingCode = pointing ? POINTINGS.indexOf(pointing) + abortCode : NaN
    doubles.set([ship.number, index, sequence, thrustLevel, ...attitude, pointingCode, target], at)
    at += PENDING_DOUBLES
  }
  return { header, bytes }
}

/** The parts of an image that a running world is made of. */
export interface RestoredWorld {
  readonly world: World
  readonly gameClock: GameClock
  readonly tick: number
}

/**
 * Rebuilds a world from its image, bit for bit. Columns are matched by name, so an image of an
 * older layout opens; what it lacks starts at zero. Systems that the catalog has gained since,
 * at the end of its list, start from their own state.
 *
 * @param room  the catalog's systems, whose `start` is otherwise taken from the image, and what
 *   the image does not say
 * @throws {EngineError} 'ERR_IMAGE' when header, systems or size do not fit
 */
export function restoreWorld(
  image: WorldImage,
  room: Pick<WorldSetup, 'systems' | 'shipsMax' | 'kernel' | 'massiveKernel'>,
): RestoredWorld {
  const { header, bytes } = image
  const { systems, shipsMax, kernel, massiveKernel } = room
  assertFits(image, systems)
  const rows = header.chunkSystems.length * CHUNK_SLOTS
  const buffer = bytes.slice().buffer
  const doubles = new Float64Array(buffer, tableBytes(header))
  let at = 0
  const starts = systems.map((setup, i) => {
    if (i >= header.systems.length) return setup
    const start = emptyAnchor(header.systems[i].bodies, header.systems[i].node)
    const reference = new Float64Array(INVARIANT_DOUBLES)
    for (const part of [...anchorParts(start), reference]) {
      part.set(doubles.subarray(at, at + part.length))
      at += part.length
    }
    return { ...setup, start, reference }
  })
  const world = createWorld({
    systems: starts,
    index: header.index,
    seed: header.seed,
    shipsMax: Math.max(shipsMax, rows),
    kernel,
    massiveKernel,
  })
  world.settled = header.settled ?? header.index
  world.since = world.settled
  const { state, roster, intake, flight } = world
  readColumns(state.ships, columnViews(header.columns, buffer, 0, rows))
  const sightingsAt = columnBytes(header.columns, rows)
  const sighted = columnViews(header.sightingColumns, buffer, sightingsAt, header.sightings)
  readColumns(state.sightings, sighted)
  intake.sequence = header.sequence
  roster.nextNumber = header.nextNumber
  for (const ship of header.ships) {
    enterRoster(roster, { ...ship })
    state.chunk.chunkShips[Math.floor(ship.slot / CHUNK_SLOTS)]++
  }
  for (const station of header.stations ?? []) world.stations.set(station.stationId, station)
  for (const gate of header.jumpgates ?? []) world.jumpgates.set(gate.jumpgateId, gate)
  state.chunk.chunkSystem.set(header.chunkSystems)
  for (let chunk = 0; chunk < header.chunkSystems.length; chunk++) {
    updateChunkDue(flight, chunk, header.index)
  }
  restorePending(world, doubles.subarray(at), header.pending)
  if (header.maneuvers) restoreManeuvers(world.maneuvers, header.maneuvers)
  return { world, gameClock: imageClock(header), tick: header.tick }
}

/** The game clock as it stood when an image was made. */
export function imageClock({ index, remainder }: ImageHeader): GameClock {
  return { index, remainder: BigInt(remainder[0]), denominator: BigInt(remainder[1]) }
}

/** Columns are matched by name and type; what an older image lacks stays as it is. */
function readColumns(
  into: Readonly<Record<string, AnyColumn>>,
  from: Readonly<Record<string, AnyColumn>>,
): void {
  for (const [name, column] of Object.entries(into)) {
    const source = from[name]
    if (source) column.set(source)
  }
}

function restorePending({ roster, intake }: World, doubles: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const row = doubles.subarray(PENDING_DOUBLES * i, PENDING_DOUBLES * (i + 1))
    const ship = roster.byNumber.get(row[0])
    if (!ship) continue
    const control: Control = {
      ...(row[3] >= 0 && { thrustLevel: row[3] }),
      ...(row[4] === row[4] && { attitude: [row[4], row[5], row[6], row[7]] as const }),
      ...(row[8] >= 0 && { pointing: POINTINGS[row[8] % POINTINGS.length] }),
      ...(row[8] >= POINTINGS.length && { abort: true }),
      ...(row[9] >= 0 && { target: row[9] }),
    }
    addPending(intake, { ship, index: row[1], sequence: row[2], control })
  }
}

function assertFits({ header, bytes }: WorldImage, systems: readonly SystemSetup[]): void {
  assertSoundHeader(header)
  const known = systems.slice(0, header.systems.length)
  const ours = known.map(({ system }) => `${system.id} (${system.bodies.length} bodies)`).join()
  const theirs = header.systems.map(({ id, bodies }) => `${id} (${bodies} bodies)`).join()
  if (ours !== theirs) {
    throw new EngineError('ERR_IMAGE', `Image holds systems ${theirs} when ${ours} are known.`)
  }
  if (bytes.length !== imageBytes(header)) {
    throw new EngineError(
      'ERR_IMAGE',
      `Image has ${bytes.length} bytes when its header says ${imageBytes(header)}.`,
    )
  }
}

function imageBytes(header: ImageHeader): number {
  const anchors = header.systems.reduce((sum, { bodies }) => sum + anchorDoubles(bodies), 0)
  return tableBytes(header) + 8 * (anchors + PENDING_DOUBLES * header.pending)
}

/** Bytes of the ship and sighting columns, with which an image begins. */
function tableBytes({ columns, chunkSystems, sightingColumns, sightings }: ImageHeader): number {
  return (
    columnBytes(columns, chunkSystems.length * CHUNK_SLOTS) +
    columnBytes(sightingColumns, sightings)
  )
}

function anchorDoubles(bodies: number): number {
  const anchor = anchorParts(emptyAnchor(bodies, 0)).reduce((sum, part) => sum + part.length, 0)
  return anchor + INVARIANT_DOUBLES
}

function anchorParts(anchor: MassiveState): Float64Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = anchor
  return [x, v, xLow, vLow, energyWork, angularWork]
}

function emptyAnchor(bodies: number, node: number): MassiveState {
  return Object.assign(createMassiveState(bodies), { node })
}
