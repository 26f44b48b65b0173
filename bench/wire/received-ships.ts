/** How many ships a client knows from binary frames, and how many it will. */
import { FRAME_BLOCKS, createFrameReader } from '@orrery/protocol'

const reader = createFrameReader(FRAME_BLOCKS)

/** The ships of one socket. */
export class ReceivedShips {
  inView = 0
  /** ships that the budget has delayed; NaN before the first clock */
  #waiting = NaN
  readonly #received = new Set<number>()

  take(frame: Buffer): void {
    const { buffer, byteOffset, length } = frame
    // Columns start on multiples of 8 bytes of a frame that does.
    const { blocks } = reader.read(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
    for (const block of blocks) {
      if (block.name === 'arcs') {
        for (const ship of block.columns.number) this.#received.add(ship)
      } else if (block.name === 'clock') {
        this.inView = block.columns.inView[0]
        this.#waiting = block.columns.waiting[0]
      }
    }
  }

  /** Whether so many ships, all in view, have a record. */
  isComplete(ships: number): boolean {
    return this.#waiting === 0 && this.#received.size >= ships
  }
}
