import {
  CHUNK_SLOTS,
  type Column,
  type MassiveState,
  SHIP_COLUMNS,
  anchorAt,
  columnBytes,
  columnViews,
  createMassiveState,
  updateChunkDue,
} from '@orrery/sim'
import type { GameClock } from './clock.ts'
import { EngineError } from './engine-error.ts'
import { addPending } from './intake.ts'
import { type SystemSetup, type World, type WorldSetup, createWorld, startNode } from './world.ts'

const FORMAT = 1

/** Doubles of one waiting command: ship number, index, sequence, fields, throttle, attitude. */
const PENDING_DOUBLES = 9

/** Energy and three components of angular momentum, each a double-double. */
const INVARIANT_DOUBLES = 8

/** A world at rest: what people can read in the header, all state in the bytes. */
export interface WorldImage {
  readonly header: ImageHeader
  readonly bytes: Uint8Array
}

export interface ImageHeader {
  readonly format: number
  readonly seed: string
  readonly index: number
  readonly tick: number
  /** carried part of a quantum, numerator and denominator in decimal */
  readonly remainder: readonly [string, string]
  readonly sequence: number
  readonly nextNumber: number
  readonly columns: readonly Column[]
  /** system of each used chunk, -1 when empty */
  readonly chunkSystems: readonly number[]
  readonly systems: readonly { id: string; bodies: number; node: number }[]
  readonly ships: readonly { shipId: string; number: number; slot: number; name: string }[]
  readonly pending: number
}

/**
 * Copies a world that no tick moves.
 *
 * ```
 * | ship columns of used chunks | anchor and drift reference per system | waiting commands |
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
    tick,
    remainder: [String(clock.remainder), String(clock.denominator)],
    sequence: intake.sequence,
    nextNumber: roster.nextNumber,
    columns: SHIP_COLUMNS,
    chunkSystems: systems.slice(0, chunks),
    systems: anchors.map(({ node }, i) => {
      const { id, bodies } = state.systems[i]
      return { id, bodies: bodies.length, node }
    }),
    ships: [...roster.byId.values()],
    pending: intake.pending.length,
  }
  const bytes = new Uint8Array(imageBytes(header))
  const columns = columnViews(SHIP_COLUMNS, bytes.buffer, 0, chunks * CHUNK_SLOTS)
  for (const { name, components } of SHIP_COLUMNS) {
    const source = state.ships[name]
    columns[name].set(source.subarray(0, chunks * CHUNK_SLOTS * components))
  }
  const doubles = new Float64Array(bytes.buffer, columnBytes(SHIP_COLUMNS, chunks * CHUNK_SLOTS))
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
    const fields = (control.thrustLevel === undefined ? 0 : 1) + (control.attitude ? 2 : 0)
    const attitude = control.attitude ?? [1, 0, 0, 0]
    doubles.set([ship.number, index, sequence, fields, control.thrustLevel ?? 0, ...attitude], at)
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
 * older layout opens; what it lacks starts at zero.
 *
 * @param room  the catalog's systems, whose `start` is taken from the image, and what the image
 *   does not say
 * @throws {EngineError} 'ERR_IMAGE' when format, systems or size do not fit
 */
export function restoreWorld(
  image: WorldImage,
  room: Pick<WorldSetup, 'systems' | 'shipsMax' | 'kernel'>,
): RestoredWorld {
  const { header, bytes } = image
  const { systems, shipsMax, kernel } = room
  assertFits(image, systems)
  const rows = header.chunkSystems.length * CHUNK_SLOTS
  const buffer = bytes.slice().buffer
  const doubles = new Float64Array(buffer, columnBytes(header.columns, rows))
  let at = 0
  const starts = systems.map((setup, i) => {
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
  })
  const { state, roster, intake, flight } = world
  const columns = columnViews(header.columns, buffer, 0, rows)
  for (const { name } of SHIP_COLUMNS) {
    const source = columns[name]
    if (source) state.ships[name].set(source)
  }
  intake.sequence = header.sequence
  roster.nextNumber = header.nextNumber
  for (const ship of header.ships) {
    roster.byId.set(ship.shipId, { ...ship })
    state.chunk.chunkShips[Math.floor(ship.slot / CHUNK_SLOTS)]++
  }
  state.chunk.chunkSystem.set(header.chunkSystems)
  for (let chunk = 0; chunk < header.chunkSystems.length; chunk++) updateChunkDue(flight, chunk)
  restorePending(world, doubles.subarray(at), header.pending)
  const [remainder, denominator] = header.remainder
  return {
    world,
    gameClock: {
      index: header.index,
      remainder: BigInt(remainder),
      denominator: BigInt(denominator),
    },
    tick: header.tick,
  }
}

function restorePending(world: World, doubles: Float64Array, count: number): void {
  const byNumber = new Map([...world.roster.byId.values()].map((ship) => [ship.number, ship]))
  for (let i = 0; i < count; i++) {
    const [number, index, sequence, fields, thrustLevel, w, x, y, z] = doubles.subarray(
      PENDING_DOUBLES * i,
      PENDING_DOUBLES * (i + 1),
    ) as unknown as [number, number, number, number, number, number, number, number, number]
    const ship = byNumber.get(number)
    if (!ship) continue
    const control = {
      ...(fields % 2 === 1 && { thrustLevel }),
      ...(fields >= 2 && { attitude: [w, x, y, z] as const }),
    }
    addPending(world.intake, { ship, index, sequence, control })
  }
}

function assertFits({ header, bytes }: WorldImage, systems: readonly SystemSetup[]): void {
  if (header.format !== FORMAT) {
    throw new EngineError('ERR_IMAGE', `Image format is ${header.format} when ${FORMAT} is known.`)
  }
  const ours = systems.map(({ system }) => `${system.id} (${system.bodies.length} bodies)`).join()
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
  const columns = columnBytes(header.columns, header.chunkSystems.length * CHUNK_SLOTS)
  const anchors = header.systems.reduce((sum, { bodies }) => sum + anchorDoubles(bodies), 0)
  return columns + 8 * (anchors + PENDING_DOUBLES * header.pending)
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
