import { type MassiveState, createMassiveState } from '@orrery/sim'
import { CatalogError } from './catalog-error.ts'
import { stateColumns } from './checkpoint-inputs.ts'

/** Nodes from one checkpoint to the next: 2^21 s, 24.3 days. */
export const CHECKPOINT_NODES = 8192

/** 'OCKP' read as a little-endian word. */
const MAGIC = 0x504b434f
const VERSION = 2

/** magic, version, bodies, count, spacing in nodes, 0 (u32 each), first node (f64), inputs. */
const HEADER_BYTES = 48
const INPUTS_AT = 32
const INPUT_WORDS = 4

/**
 * Full states of the massive bodies at even distances, little endian behind a small header: each is
 * x, v, their low parts and the ledgers of energy (2) and angular momentum (6), as doubles.
 */
export interface Checkpoints {
  readonly bodies: number
  readonly count: number
  /** nodes between two checkpoints */
  readonly spacing: number
  readonly firstNode: number
  /** `checkpointInputs` of the system and the start state that the file was made from */
  readonly inputs: Uint32Array
  readonly view: DataView
}

/** Where the solar system's checkpoints lie; an app reads the file and passes its bytes. */
export const checkpointsUrl: URL = new URL('../data/sol-checkpoints.bin', import.meta.url)

/**
 * Reads the header and checks that the bytes are all there.
 *
 * @throws {CatalogError} 'ERR_CHECKPOINTS' when they are not a checkpoint file
 */
export function parseCheckpoints(bytes: Uint8Array): Checkpoints {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new CatalogError('ERR_CHECKPOINTS', 'The bytes do not begin like a checkpoint file.')
  }
  const version = view.getUint32(4, true)
  if (version !== VERSION) {
    throw new CatalogError(
      'ERR_CHECKPOINTS',
      `Checkpoint file of version ${version} when ${VERSION} was expected.`,
    )
  }
  const bodies = view.getUint32(8, true)
  const count = view.getUint32(12, true)
  const expected = HEADER_BYTES + count * recordBytes(bodies)
  if (bytes.length !== expected) {
    throw new CatalogError(
      'ERR_CHECKPOINTS',
      `Checkpoint file has ${bytes.length} bytes when ${expected} were expected.`,
    )
  }
  const spacing = view.getUint32(16, true)
  const inputs = Uint32Array.from({ length: INPUT_WORDS }, (_, i) =>
    view.getUint32(INPUTS_AT + 4 * i, true),
  )
  return { bodies, count, spacing, firstNode: view.getFloat64(24, true), inputs, view }
}

/**
 * Lays states out as a checkpoint file.
 *
 * @param states  at least one, by rising node, `spacing` apart
 * @param inputs  `checkpointInputs` of what they were made from
 */
export function checkpointBytes(
  states: readonly MassiveState[],
  spacing: number,
  inputs: Uint32Array,
): Uint8Array {
  const bodies = states[0].x.length / 3
  const bytes = new Uint8Array(HEADER_BYTES + states.length * recordBytes(bodies))
  const view = new DataView(bytes.buffer)
  const words = [MAGIC, VERSION, bodies, states.length, spacing]
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true)
  view.setFloat64(24, states[0].node, true)
  for (const [i, word] of inputs.entries()) view.setUint32(INPUTS_AT + 4 * i, word, true)
  let at = HEADER_BYTES
  for (const state of states) {
    for (const array of stateColumns(state)) {
      for (const value of array) {
        view.setFloat64(at, value, true)
        at += 8
      }
    }
  }
  return bytes
}

/**
 * The last checkpoint at or before a node.
 *
 * @throws {CatalogError} 'ERR_CHECKPOINT_RANGE' when the first one is later
 */
export function checkpointAtOrBefore(checkpoints: Checkpoints, node: number): MassiveState {
  const { firstNode, spacing, count } = checkpoints
  const index = Math.min(Math.floor((node - firstNode) / spacing), count - 1)
  return checkpointState(checkpoints, index, node)
}

/**
 * The checkpoint from which a node is reached in the direction the file itself was made: the
 * last at or before it from J2000 on, the first at or after it earlier.
 *
 * @throws {CatalogError} 'ERR_CHECKPOINT_RANGE' when there is none
 */
export function checkpointTowards(checkpoints: Checkpoints, node: number): MassiveState {
  if (node >= 0) return checkpointAtOrBefore(checkpoints, node)
  const { firstNode, spacing } = checkpoints
  return checkpointState(checkpoints, Math.max(0, Math.ceil((node - firstNode) / spacing)), node)
}

function checkpointState(checkpoints: Checkpoints, index: number, node: number): MassiveState {
  const { bodies, count, firstNode, spacing, view } = checkpoints
  if (!(index >= 0 && index < count)) {
    const last = firstNode + (count - 1) * spacing
    throw new CatalogError(
      'ERR_CHECKPOINT_RANGE',
      `No checkpoint for node ${node}: they run from ${firstNode} to ${last}.`,
    )
  }
  const state = createMassiveState(bodies)
  state.node = firstNode + index * spacing
  let at = HEADER_BYTES + index * recordBytes(bodies)
  for (const array of stateColumns(state)) {
    for (let i = 0; i < array.length; i++, at += 8) array[i] = view.getFloat64(at, true)
  }
  return state
}

function recordBytes(bodies: number): number {
  return 8 * (12 * bodies + 8)
}
