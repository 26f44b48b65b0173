/** What one record costs a client: frames of ten thousand, by the way that real ones come. */
import { solStateJ2000, solSystem } from '@orrery/catalog'
import { connectSocket } from '@orrery/client'
import { type World, openFlight } from '@orrery/client/flight'
import { FRAME_BLOCKS, createBlock, frameHeader, shipClassEntry } from '@orrery/protocol'
import { COURIER } from '@orrery/sim'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { getHeapStatistics } from 'node:v8'

const RECORDS = 10_000
const STEP_QUANTA = 2048
const WARM_UP = 50
const ROUNDS = 200
/** Circular orbits [m]. */
const DISTANCE = 7e6
const EARTH = solSystem.bodies.findIndex(({ name }) => name === 'Earth')
const SPEED = Math.sqrt(solSystem.bodies[EARTH].gm / DISTANCE)

/** A connection of the client, on which only this file sends. */
class Line extends EventTarget {
  static last: Line
  readonly OPEN: number = 1
  readonly readyState: number = 1
  binaryType: string = ''

  constructor() {
    super()
    Line.last = this
  }

  send(): void {
    // Without listeners.
  }

  close(): void {
    // It ends with the process.
  }

  receive(data: string | ArrayBuffer): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** Decodes frames into the client's world, and asks it where all ships are. */
export async function codec(): Promise<Row[]> {
  const socket = connectSocket({
    url: 'http://bench',
    token: 'bench',
    wire: 'binary',
    WebSocket: Line,
  })
  const flight = openFlight({ socket })
  const { world } = flight
  await new Promise(setImmediate)
  const line = Line.last
  const now = new Date().toISOString()
  const clock = { tick: 1, game_time: now, time_scale: 1, effective_time_scale: 1, paused: true }
  const welcome = { type: 'welcome', era: 1, ship_id: '', frames: FRAME_BLOCKS, ...clock }
  line.receive(JSON.stringify(welcome))
  const ship_classes = [shipClassEntry(COURIER)]
  const system = { system: solSystem, home: EARTH, spheres: [], ship_classes, physics: 0 }
  line.receive(JSON.stringify({ type: 'system', era: 1, ...system }))
  line.receive(frame(0, [anchor(), ...identities(), arcs()]))
  if (world.ships().length !== RECORDS) throw new Error('The client does not know all ships.')
  const rows = rowsOf(`${RECORDS} records`, [
    ...cost('decode_steps', 'steps', line),
    ...cost('decode_burns', 'burns', line),
    ...cost('decode_arcs', 'arcs', line),
    ...evaluation(world),
  ])
  flight.close()
  socket.close()
  return rows
}

type Block = Pick<ReturnType<typeof createBlock>, 'bytes'>

function frame(index: number, blocks: readonly Block[]): ArrayBuffer {
  const pieces = [frameHeader(1, index, blocks.length), ...blocks.map(({ bytes }) => bytes)]
  return new Uint8Array(Buffer.concat(pieces)).buffer
}

function anchor(): Block {
  const { node, x, v } = solStateJ2000()
  const { bytes, columns } = createBlock('anchor', solSystem.bodies.length)
  columns.node.fill(node)
  columns.x.set(x)
  columns.v.set(v)
  return { bytes }
}

function identities(): readonly Block[] {
  const { bytes, columns } = createBlock('ships', RECORDS)
  for (let i = 0; i < RECORDS; i++) {
    columns.number[i] = i
    new DataView(columns.shipId.buffer).setUint32(columns.shipId.byteOffset + 16 * i, i)
  }
  return [{ bytes }, createBlock('names', 0)]
}

/** Whole steps: a quarter of an orbit would be less smooth, but is as much to decode. */
function arcs(): Block {
  const { bytes, columns } = createBlock('arcs', RECORDS)
  for (let i = 0; i < RECORDS; i++) {
    columns.number[i] = i
    columns.reference[i] = EARTH
    columns.end[i] = STEP_QUANTA
    columns.position[3 * i] = columns.endPosition[3 * i] = DISTANCE
    columns.velocity[3 * i + 1] = columns.endVelocity[3 * i + 1] = SPEED
  }
  return { bytes }
}

/** Records that follow those before. */
function chained(name: 'steps' | 'burns'): Block {
  const { bytes, columns } = createBlock(name, RECORDS)
  for (let i = 0; i < RECORDS; i++) {
    columns.number[i] = i
    columns.end[i] = STEP_QUANTA
    columns.endPosition[3 * i] = DISTANCE
    columns.endVelocity[3 * i + 1] = SPEED
  }
  return { bytes }
}

function cost(metric: string, name: 'steps' | 'burns' | 'arcs', line: Line): Metric[] {
  const bytes = frame(0, [name === 'arcs' ? arcs() : chained(name)])
  const header = new DataView(bytes)
  const times: number[] = []
  let allocated = 0
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // Each begins where the one before ended.
    header.setFloat64(8, round * STEP_QUANTA, true)
    if (round === WARM_UP) allocated = getHeapStatistics().total_allocated_bytes
    const startMs = performance.now()
    line.receive(bytes)
    times.push(performance.now() - startMs)
  }
  allocated = getHeapStatistics().total_allocated_bytes - allocated
  return [
    [metric, percentile(times.slice(WARM_UP), 0.5), 'ms', { max: 1 }],
    [`${metric}_allocated`, allocated / ROUNDS / RECORDS, 'B per record'],
  ]
}

function evaluation(world: World): Metric[] {
  const out = new Float64Array(3 * RECORDS)
  const times: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const startMs = performance.now()
    world.positionsAt(out, round + 0.5, 'Earth')
    times.push(performance.now() - startMs)
  }
  if (out.some(Number.isNaN)) throw new Error('The client does not know where all ships are.')
  return [['positions', percentile(times.slice(WARM_UP), 0.5), 'ms', { max: 2 }]]
}
