import {
  FRAME_BLOCKS,
  type ReadFrame,
  type SystemMessage,
  type WritableBlock,
  createBlock,
  createFrameReader,
  frameHeader,
  shipClassEntry,
} from '@orrery/protocol'
import {
  COPIED_COLUMNS,
  COURIER,
  type Flight,
  HULL,
  LAYOUT_DIGEST,
  type MassiveState,
  PHYSICS,
  QUANTA_PER_SECOND,
  SPIN,
  type StarSystem,
  bodyRate,
  copiedRow,
  createMassiveState,
  hullAt,
  isPowered,
  segmentAttitude,
  segmentFuel,
  segmentState,
  createStateVector,
  shipCheck,
  writeRow,
} from '@orrery/sim'

/** A planet and its moon. */
export const PAIR: StarSystem = {
  id: 'pair',
  name: 'Pair',
  position: [0, 0, 0],
  bodies: [
    { name: 'Globe', parent: -1, gm: 3.986004418e14, radius: 6.371e6 },
    { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.74e6 },
  ],
}

/** What a server sends of a star system whose ships are couriers. */
export function systemSent(system: StarSystem): SystemMessage {
  return {
    type: 'system',
    era: 1,
    system,
    home: 0,
    spheres: [null, 6e7].slice(0, system.bodies.length),
    ship_classes: [shipClassEntry(COURIER)],
    physics: PHYSICS,
  }
}

/** Where both are at a node, and move to. */
export function pairAt(node: number): MassiveState {
  const start = createMassiveState(2)
  start.node = node
  start.x.set([1e6, 0, 0, 4e8, 1e7, 0])
  start.v.set([0, -10, 3, 0, 1000, 30])
  return start
}

/** A state of bodies as a server sends it. */
export function anchorOf({ node, x, v }: MassiveState): WritableBlock<'anchor'> {
  const block = createBlock('anchor', x.length / 3)
  block.columns.node.fill(node)
  block.columns.x.set(x)
  block.columns.v.set(v)
  return block
}

const reader = createFrameReader(FRAME_BLOCKS)

/** A block of any kind. */
type Block = Pick<WritableBlock<'names'>, 'bytes'>

/** The bytes of a frame. */
export function frameOf(publication: number, index: number, blocks: readonly Block[]): ArrayBuffer {
  const pieces = [frameHeader(publication, index, blocks.length), ...blocks.map((one) => one.bytes)]
  return new Uint8Array(pieces.flatMap((piece) => [...piece])).buffer
}

/** A frame as a client reads it. */
export function readFrame(index: number, blocks: readonly Block[]): ReadFrame {
  return reader.read(frameOf(1, index, blocks))
}

/**
 * Block of the identities of ships, and that of their names.
 *
 * @param classes  their rows of classes; the first where left out
 */
export function identities(
  ships: readonly { readonly number: number; readonly id: string; readonly name: string }[],
  classes: readonly number[] = [],
): readonly Block[] {
  const text = new TextEncoder().encode(ships.map(({ name }) => name).join(''))
  const block = createBlock('ships', ships.length)
  const names = createBlock('names', text.length)
  names.columns.utf8.set(text)
  let end = 0
  for (const [i, { number, id, name }] of ships.entries()) {
    end += new TextEncoder().encode(name).length
    block.columns.number[i] = number
    block.columns.nameEnd[i] = end
    block.columns.shipClass[i] = classes[i] ?? 0
    const bytes = id.replaceAll('-', '').match(/../g) ?? []
    block.columns.shipId.set(
      bytes.map((pair) => Number.parseInt(pair, 16)),
      16 * i,
    )
  }
  return [block, names]
}

/** The whole open step of ships. */
export function arcsOf(flight: Flight, slots: readonly number[]): WritableBlock<'arcs'> {
  const { ships } = flight.state
  const block = createBlock('arcs', slots.length)
  const { columns } = block
  for (const [i, slot] of slots.entries()) {
    columns.number[i] = ships.shipNumber[slot]
    columns.reference[i] = ships.reference[slot]
    columns.start[i] = ships.stepStart[slot]
    columns.end[i] = ships.stepEnd[slot]
    columns.position.set(triple(ships.position, slot), 3 * i)
    columns.velocity.set(triple(ships.velocity, slot), 3 * i)
    columns.acceleration.set(startPull(flight, slot), 3 * i)
    columns.endPosition.set(triple(ships.endPosition, slot), 3 * i)
    columns.endVelocity.set(triple(ships.endVelocity, slot), 3 * i)
    columns.endAcceleration.set(endPull(flight, slot), 3 * i)
  }
  return block
}

/** Steps that begin as the ones before ended. */
export function stepsOf(
  flight: Flight,
  slots: readonly number[],
  index: number,
): WritableBlock<'steps'> {
  const { ships } = flight.state
  const block = createBlock('steps', slots.length)
  const { columns } = block
  for (const [i, slot] of slots.entries()) {
    columns.number[i] = ships.shipNumber[slot]
    columns.end[i] = ships.stepEnd[slot] - index
    columns.endPosition.set(triple(ships.endPosition, slot), 3 * i)
    columns.endVelocity.set(triple(ships.endVelocity, slot), 3 * i)
    columns.endAcceleration.set(endPull(flight, slot), 3 * i)
  }
  return block
}

const attitude = new Float64Array(4)
const rate = new Float64Array(3)
const here = createStateVector()

/** Attitude and engine of ships at the start of their open steps. */
export function hullsOf(flight: Flight, slots: readonly number[]): WritableBlock<'hulls'> {
  const { state } = flight
  const [ship] = state.classes
  const { ships } = state
  const block = createBlock('hulls', slots.length)
  const { columns } = block
  for (const [i, slot] of slots.entries()) {
    const start = ships.stepStart[slot]
    segmentState(here, ships, slot, ship, start, 0)
    segmentAttitude(attitude, flight, slot, here, start, 0)
    bodyRate(rate, ships.attitude, ships.angularMomentum, ships.wheelMomentum, slot, ship.inertia)
    const seconds = (ships.stepEnd[slot] - start) / QUANTA_PER_SECOND
    columns.number[i] = ships.shipNumber[slot]
    columns.start[i] = start
    columns.fuel[i] = ships.fuel[slot]
    columns.flow[i] = (segmentFuel(ships, slot, 1) - ships.fuel[slot]) / seconds
    columns.attitude.set(attitude, 4 * i)
    columns.rate.set(rate, 3 * i)
    columns.thrustLevel[i] = isPowered(ships, slot) ? ships.thrustLevel[slot] : 0
    columns.condition[i] = ships.condition[slot]
    columns.mode[i] = ships.attitudeMode[slot]
    columns.pointing[i] = Math.min(SPIN, ships.pointing[slot])
    columns.aimKind[i] = ships.aimKind[slot]
    columns.aim[i] = ships.aim[slot]
  }
  return block
}

/** Head and ship of the seed of a ship, which stands at an index. */
export function seedOf(
  { state: { ships } }: Flight,
  slot: number,
  index: number,
): readonly [WritableBlock<'seed'>, WritableBlock<'seedShip'>] {
  const seed = createBlock('seed', 1)
  const own = createBlock('seedShip', 1)
  seed.columns.number[0] = ships.shipNumber[slot]
  seed.columns.slot[0] = slot
  seed.columns.index[0] = index
  seed.columns.physics[0] = PHYSICS
  for (const lane of [0, 1, 2, 3]) {
    seed.columns.layout[lane] = Number.parseInt(LAYOUT_DIGEST.slice(8 * lane, 8 * lane + 8), 16)
  }
  writeRow(COPIED_COLUMNS, own.columns, 0, copiedRow(COPIED_COLUMNS, ships, slot))
  return [seed, own]
}

/** The check of a ship at the start of its open step. */
export function checkOf({ state }: Flight, slot: number): WritableBlock<'checks'> {
  const block = createBlock('checks', 1)
  block.columns.number[0] = state.ships.shipNumber[slot]
  block.columns.index[0] = state.ships.stepStart[slot]
  shipCheck(block.columns.check, state, slot)
  return block
}

/** Acceleration at the start of a ship's open step, to the bit of what the core evaluates. */
export function startPull(flight: Flight, slot: number): number[] {
  const { ships } = flight.state
  return pull(flight, slot, ships.gravity, ships.fuel[slot])
}

export function endPull(flight: Flight, slot: number): number[] {
  const { ships } = flight.state
  return pull(flight, slot, ships.endGravity, segmentFuel(ships, slot, 1))
}

function pull(flight: Flight, slot: number, gravity: Float64Array, fuel: number): number[] {
  const { ships } = flight.state
  const mass = flight.state.classes[0].dryMass + fuel
  const at = hullAt(ships, slot)
  return [0, 1, 2].map((axis) => {
    const force = at < 0 ? 0 : ships.hullStep[at + HULL.force + axis]
    return gravity[3 * slot + axis] + force / mass
  })
}

function triple(values: Float64Array, slot: number): Float64Array {
  return values.subarray(3 * slot, 3 * slot + 3)
}
