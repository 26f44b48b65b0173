import { type BlockViews, FrameError, type ReadBlock, type ReadFrame } from '@orrery/protocol'
import { createMassiveState } from '@orrery/sim'
import { ARC, ARC_DOUBLES } from './arc.ts'
import type { Scene } from './scene.ts'

/**
 * Writes what a frame says of the world; blocks of other kinds are passed over.
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
  if (name === 'steps') takeSteps(scene, rows, columns, index)
  else if (name === 'burns') takeBurns(scene, rows, columns, index)
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

function copyThree(
  arc: Float64Array,
  at: number,
  from: Float64Array | Float32Array,
  row: number,
): void {
  arc[at] = from[3 * row]
  arc[at + 1] = from[3 * row + 1]
  arc[at + 2] = from[3 * row + 2]
}

/** Each begins where and as the record before ended. */
function takeSteps(
  { told }: Scene,
  rows: number,
  columns: BlockViews<'steps'>,
  index: number,
): void {
  const { arc, arcs, reference } = told.columns
  for (let i = 0; i < rows; i++) {
    const row = told.row(columns.number[i])
    if (row < 0 || arcs[row] === 0) continue
    const before = told.lastArc(row)
    const next = told.nextArc(row, arc[before + ARC.end])
    const at = ARC_DOUBLES * next
    reference[next] = reference[before / ARC_DOUBLES]
    for (let k = 0; k < 9; k++) arc[at + ARC.r0 + k] = arc[before + ARC.r1 + k]
    arc[at + ARC.end] = index + columns.end[i]
    copyThree(arc, at + ARC.r1, columns.endPosition, i)
    copyThree(arc, at + ARC.v1, columns.endVelocity, i)
    copyThree(arc, at + ARC.a1, columns.endAcceleration, i)
  }
}

/** The same, but for the acceleration. */
function takeBurns(scene: Scene, rows: number, columns: BlockViews<'burns'>, index: number): void {
  const { told } = scene
  const { arc, arcs, reference } = told.columns
  for (let i = 0; i < rows; i++) {
    const row = told.row(columns.number[i])
    if (row < 0 || arcs[row] === 0) continue
    const before = told.lastArc(row)
    const next = told.nextArc(row, arc[before + ARC.end])
    const at = ARC_DOUBLES * next
    reference[next] = reference[before / ARC_DOUBLES]
    for (let k = 0; k < 6; k++) arc[at + ARC.r0 + k] = arc[before + ARC.r1 + k]
    arc[at + ARC.end] = index + columns.end[i]
    copyThree(arc, at + ARC.a0, columns.acceleration, i)
    copyThree(arc, at + ARC.r1, columns.endPosition, i)
    copyThree(arc, at + ARC.v1, columns.endVelocity, i)
    copyThree(arc, at + ARC.a1, columns.endAcceleration, i)
    scene.noteChange(row)
  }
}

function takeArcs(scene: Scene, rows: number, columns: BlockViews<'arcs'>): void {
  const { told } = scene
  const bodies = scene.system?.bodies.length ?? 0
  for (let i = 0; i < rows; i++) {
    const body = columns.reference[i]
    if (!(body >= 0 && body < bodies)) {
      throw new FrameError('ERR_FRAME_VALUE', `A ship's reference body is ${body} of ${bodies}.`)
    }
    const row = scene.rowOf(columns.number[i])
    const next = told.nextArc(row, columns.start[i])
    const { arc, reference } = told.columns
    const at = ARC_DOUBLES * next
    reference[next] = body
    arc[at + ARC.end] = columns.end[i]
    copyThree(arc, at + ARC.r0, columns.position, i)
    copyThree(arc, at + ARC.v0, columns.velocity, i)
    copyThree(arc, at + ARC.a0, columns.acceleration, i)
    copyThree(arc, at + ARC.r1, columns.endPosition, i)
    copyThree(arc, at + ARC.v1, columns.endVelocity, i)
    copyThree(arc, at + ARC.a1, columns.endAcceleration, i)
    scene.noteChange(row)
  }
}

function takeHulls(scene: Scene, rows: number, columns: BlockViews<'hulls'>): void {
  const { told } = scene
  for (let i = 0; i < rows; i++) {
    const row = scene.rowOf(columns.number[i])
    const next = told.nextHull(row, columns.start[i])
    const hulls = told.columns
    hulls.fuel[next] = columns.fuel[i]
    hulls.flow[next] = columns.flow[i]
    for (let k = 0; k < 4; k++) hulls.attitude[4 * next + k] = columns.attitude[4 * i + k]
    for (let k = 0; k < 3; k++) {
      hulls.rate[3 * next + k] = columns.rate[3 * i + k]
      hulls.wheels[3 * next + k] = columns.wheels[3 * i + k]
    }
    hulls.thrustLevel[next] = columns.thrustLevel[i]
    hulls.aim[next] = columns.aim[i]
    hulls.condition[next] = columns.condition[i]
    hulls.mode[next] = columns.mode[i]
    hulls.pointing[next] = columns.pointing[i]
    hulls.aimKind[next] = columns.aimKind[i]
    scene.noteChange(row)
  }
}

function takeLeft(scene: Scene, rows: number, numbers: Uint32Array): void {
  for (let i = 0; i < rows; i++) {
    const row = scene.told.row(numbers[i])
    if (row >= 0) scene.remove(row)
  }
}

/** What is not in a whole view is gone. */
function takeView(scene: Scene, rows: number, numbers: Uint32Array): void {
  const { told } = scene
  told.columns.inView.fill(0, 0, told.count)
  for (let i = 0; i < rows; i++) {
    const row = told.row(numbers[i])
    if (row >= 0) told.columns.inView[row] = 1
  }
  for (let row = told.count - 1; row >= 0; row--) {
    if (told.columns.inView[row] === 0) scene.remove(row)
  }
}

const utf8 = new TextDecoder()

function takeNames(
  scene: Scene,
  identities: BlockViews<'ships'> | undefined,
  bytes: Uint8Array,
): void {
  if (!identities) return
  const { number, shipId, nameEnd } = identities
  let from = 0
  for (let i = 0; i < number.length; i++) {
    const name = utf8.decode(bytes.subarray(from, nameEnd[i]))
    scene.identify(scene.rowOf(number[i]), uuidOf(shipId, 16 * i), name)
    from = nameEnd[i]
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
