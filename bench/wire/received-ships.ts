/** What a client knows from binary frames, as little as shows whether it is right. */
import { FRAME_BLOCKS, type ReadBlock, createFrameReader } from '@orrery/protocol'

const reader = createFrameReader(FRAME_BLOCKS)

/** The record of a ship that was sent last. */
interface Received {
  /** quanta */
  readonly start: number
  readonly end: number
  /** first component of the position at the end [m] */
  readonly x: number
}

/** How much two clients differ. */
export interface Difference {
  /** ships that only the one has */
  readonly ghosts: number
  /** ships that it lacks, or of which it has another record */
  readonly missing: number
}

/** The ships of one socket. */
export class ReceivedShips {
  era = 0
  tick = 0
  publication = 0
  index = 0
  inView = 0
  /** ships that the budget has delayed; NaN before the first clock */
  waiting: number = NaN
  /** rows of blocks since the start, by name */
  readonly rows: Map<string, number> = new Map()
  /** chained records of ships without a record */
  broken = 0
  /** lists of all ships in view, which follow a resume */
  lists = 0
  readonly #received = new Map<number, Received>()

  take(frame: Buffer): void {
    const { buffer, byteOffset, length } = frame
    // Columns start on multiples of 8 bytes of a frame that does.
    const read = reader.read(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
    this.publication = read.publication
    this.index = read.index
    for (const block of read.blocks) {
      this.rows.set(block.name, (this.rows.get(block.name) ?? 0) + block.rows)
      this.#takeBlock(block)
    }
  }

  /** Whether all ships in view have a record. */
  isComplete(ships: number): boolean {
    return this.waiting === 0 && this.#received.size >= ships
  }

  /** @param witness  a client with the same view, at the same publication */
  differenceFrom(witness: ReceivedShips): Difference {
    let ghosts = 0
    let missing = 0
    for (const number of this.#received.keys()) if (!witness.#received.has(number)) ghosts++
    for (const [number, { start, end, x }] of witness.#received) {
      const own = this.#received.get(number)
      if (own?.start !== start || own.end !== end || own.x !== x) missing++
    }
    return { ghosts, missing }
  }

  #takeBlock(block: ReadBlock): void {
    if (block.name === 'arcs') {
      const { number, start, end, endPosition } = block.columns
      for (const [i, ship] of number.entries()) {
        this.#received.set(ship, { start: start[i], end: end[i], x: endPosition[3 * i] })
      }
    } else if (block.name === 'steps' || block.name === 'burns') {
      const { number, end, endPosition } = block.columns
      for (const [i, ship] of number.entries()) {
        const before = this.#received.get(ship)
        if (!before) this.broken++
        const start = before?.end ?? NaN
        this.#received.set(ship, { start, end: this.index + end[i], x: endPosition[3 * i] })
      }
    } else if (block.name === 'left') {
      for (const ship of block.columns.number) this.#received.delete(ship)
    } else if (block.name === 'view') {
      const kept = new Set(block.columns.number)
      for (const ship of this.#received.keys()) if (!kept.has(ship)) this.#received.delete(ship)
      this.lists++
    } else if (block.name === 'clock') {
      this.era = block.columns.era[0]
      this.tick = block.columns.tick[0]
      this.inView = block.columns.inView[0]
      this.waiting = block.columns.waiting[0]
    }
  }
}
