import { type BlockViews, FrameError, type ReadBlock, type ReadFrame } from '@orrery/protocol'
import { createMassiveState } from '@orrery/sim'
import { ARC } from '../scene/arc.ts'
import type { Scene } from '../scene/scene.ts'
import { RECEIVED_HULL } from '../scene/received-hull.ts'

/**
 * Writes what a frame has of the world; blocks of other kinds are passed over.
 *
 * @throws {FrameError} 'ERR_FRAME_VALUE' when a block names what is not there
 */
export function takeFrame(scene: Scene, frame: ReadFrame): void {
  let identities: BlockViews<'ships'> | undefined
  for (const block of frame.blocks) {
    if (block.name === 'ships') identities = block.columns
    else if (block.name === 'names') takeNames(scene, identities, block.columns.utf8)
    else takeBlock(scene, block, frame.index)
  }
  scene.announce()
}

function takeBlock(scene: Scene, { name, rows, columns }: ReadBlock, index: number): void {
  if (name === 'steps' || name === 'burns') takeNext(scene, rows, columns, index)
  else if (name === 'arcs') takeArcs(scene, rows, columns)
  else if (name === 'hulls') takeHulls(scene, rows, columns)
  else if (name === 'left') takeLeft(scene, rows, columns.number)
  else if (name === 'view') takeView(scene, rows, columns.number)
  else if (name === 'anchor') takeAnchor(scene, rows, columns)
  else if (name === 'clock' && rows > 0) {
    scene.inView = columns.inView[0]
    scene.waiting = columns.waiting[0]
  }
}

/** Each begins where the record before ended, a burn with an acceleration of its own. */
function takeNext(
  { received }: Scene,
  rows: number,
  columns: BlockViews<'steps'> | BlockViews<'burns'>,
  index: number,
): void {
  const { kept, values } = received.arcs
  const { number, end, endPosition, endVelocity, endAcceleration } = columns
  const acceleration = 'acceleration' in columns ? columns.acceleration : undefined
  for (let i = 0; i < rows; i++) {
    const row = received.row(number[i])
    if (row < 0 || kept[row] === 0) continue
    const before = received.arcs.last(row)
    const at = received.arcs.begin(row, values[before + ARC.end])
    values[at + ARC.end] = index + end[i]
    values[at + ARC.reference] = values[before + ARC.reference]
    for (let k = 0; k < 9; k++) values[at + ARC.r0 + k] = values[before + ARC.r1 + k]
    if (acceleration) {
      for (let k = 0; k < 3; k++) values[at + ARC.a0 + k] = acceleration[3 * i + k]
    }
    for (let k = 0; k < 3; k++) {
      values[at + ARC.r1 + k] = endPosition[3 * i + k]
      values[at + ARC.v1 + k] = endVelocity[3 * i + k]
      values[at + ARC.a1 + k] = endAcceleration[3 * i + k]
    }
  }
}

function takeArcs(scene: Scene, rows: number, columns: BlockViews<'arcs'>): void {
  const { arcs } = scene.received
  const { number, reference, start, end, position, velocity, acceleration } = columns
  const { endPosition, endVelocity, endAcceleration } = columns
  const bodies = scene.system?.bodies.length ?? 0
  for (let i = 0; i < rows; i++) {
    const body = reference[i]
    if (!(body >= 0 && body < bodies)) {
      throw new FrameError('ERR_FRAME_VALUE', `A ship's reference body is ${body} of ${bodies}.`)
    }
    const row = scene.rowOf(number[i])
    const at = arcs.begin(row, start[i])
    const { values } = arcs
    values[at + ARC.end] = end[i]
    values[at + ARC.reference] = body
    for (let k = 0; k < 3; k++) {
      values[at + ARC.r0 + k] = position[3 * i + k]
      values[at + ARC.v0 + k] = velocity[3 * i + k]
      values[at + ARC.a0 + k] = acceleration[3 * i + k]
      values[at + ARC.r1 + k] = endPosition[3 * i + k]
      values[at + ARC.v1 + k] = endVelocity[3 * i + k]
      values[at + ARC.a1 + k] = endAcceleration[3 * i + k]
    }
    scene.noteChange(row)
  }
}

function takeHulls(scene: Scene, rows: number, columns: BlockViews<'hulls'>): void {
  const { hulls } = scene.received
  const { number, start, fuel, flow, attitude, rate, wheels, thrustLevel } = columns
  const { condition, mode, pointing, aimKind, aim } = columns
  for (let i = 0; i < rows; i++) {
    const row = scene.rowOf(number[i])
    const at = hulls.begin(row, start[i])
    const { values } = hulls
    values[at + RECEIVED_HULL.fuel] = fuel[i]
    values[at + RECEIVED_HULL.flow] = flow[i]
    for (let k = 0; k < 4; k++) values[at + RECEIVED_HULL.attitude + k] = attitude[4 * i + k]
    for (let k = 0; k < 3; k++) {
      values[at + RECEIVED_HULL.rate + k] = rate[3 * i + k]
      values[at + RECEIVED_HULL.wheels + k] = wheels[3 * i + k]
    }
    values[at + RECEIVED_HULL.thrustLevel] = thrustLevel[i]
    values[at + RECEIVED_HULL.condition] = condition[i]
    values[at + RECEIVED_HULL.mode] = mode[i]
    values[at + RECEIVED_HULL.pointing] = pointing[i]
    values[at + RECEIVED_HULL.aimKind] = aimKind[i]
    values[at + RECEIVED_HULL.aim] = aim[i]
    scene.noteChange(row)
  }
}

function takeLeft(scene: Scene, rows: number, numbers: Uint32Array): void {
  for (let i = 0; i < rows; i++) {
    const row = scene.received.row(numbers[i])
    if (row >= 0) scene.remove(row)
  }
}

/** What is not in a whole view is gone. */
function takeView(scene: Scene, rows: number, numbers: Uint32Array): void {
  const { received } = scene
  const isInView = new Uint8Array(received.count)
  for (let i = 0; i < rows; i++) {
    const row = received.row(numbers[i])
    if (row >= 0) isInView[row] = 1
  }
  for (let row = received.count - 1; row >= 0; row--) if (isInView[row] === 0) scene.remove(row)
}

const utf8 = new TextDecoder()

function takeNames(
  scene: Scene,
  identities: BlockViews<'ships'> | undefined,
  bytes: Uint8Array,
): void {
  if (!identities) return
  const { number, shipId, nameEnd, shipClass } = identities
  let from = 0
  for (let i = 0; i < number.length; i++) {
    const end = nameEnd[i]
    if (end < from || end > bytes.length) {
      throw new FrameError('ERR_FRAME_VALUE', `A name from ${from} to ${end} of ${bytes.length}.`)
    }
    const name = utf8.decode(bytes.subarray(from, end))
    const known = scene.classes[shipClass[i]]
    if (!known) throw new FrameError('ERR_FRAME_VALUE', `There is no ship class ${shipClass[i]}.`)
    const id = uuidOf(shipId, 16 * i)
    scene.identify(scene.rowOf(number[i]), { id, name, shipClass: known.name })
    from = end
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The text form of the 16 bytes at a place. */
function uuidOf(bytes: Uint8Array, at: number): string {
  let text = ''
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += HEX[bytes[at + i]]
  }
  return text
}

function takeAnchor({ bodies }: Scene, rows: number, columns: BlockViews<'anchor'>): void {
  if (rows !== bodies?.system.bodies.length || !Number.isSafeInteger(columns.node[0])) {
    throw new FrameError('ERR_FRAME_VALUE', `An anchor of ${rows} bodies does not fit the system.`)
  }
  const { x, v, xLow, vLow } = columns
  bodies.anchor({ ...createMassiveState(rows), node: columns.node[0], x, v, xLow, vLow })
}
