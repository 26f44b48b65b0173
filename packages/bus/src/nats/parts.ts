import { randomBytes } from 'node:crypto'

/** Bytes of a message that are sent at a time; a server takes 1 MB, and others wait meanwhile. */
export const PART_BYTES: number = 512 * 1024

/** Of the sender, the message, the part, and the count of parts. */
const HEADER_BYTES = 12

/** A message has no more: what does not end is not collected for ever. */
const PARTS_MAX = 256

/** Senders whose unfinished messages are kept. */
const SENDERS_MAX = 16

/** Cuts messages into parts that say which message they are of. */
export class Cutter {
  readonly #sender = randomBytes(4).readUInt32BE()
  #message = 0

  /** @throws {RangeError} when a message is too long */
  parts(payload: Uint8Array): Uint8Array[] {
    const count = Math.max(1, Math.ceil(payload.length / PART_BYTES))
    if (count > PARTS_MAX) throw new RangeError(`A message of ${payload.length} bytes is too long.`)
    this.#message = (this.#message + 1) % 2 ** 32
    return Array.from({ length: count }, (_, place) => {
      const piece = payload.subarray(place * PART_BYTES, (place + 1) * PART_BYTES)
      const part = Buffer.allocUnsafe(HEADER_BYTES + piece.length)
      part.writeUInt32BE(this.#sender, 0)
      part.writeUInt32BE(this.#message, 4)
      part.writeUInt16BE(place, 8)
      part.writeUInt16BE(count, 10)
      part.set(piece, HEADER_BYTES)
      return part
    })
  }
}

interface Unfinished {
  readonly message: number
  readonly pieces: Uint8Array[]
}

/** Puts messages together; one of which a part is missing never comes out. */
export class Joiner {
  readonly #unfinished = new Map<number, Unfinished>()

  /** The whole message that a part completes. */
  whole(part: Uint8Array): Uint8Array | undefined {
    if (part.length < HEADER_BYTES) return undefined
    const view = Buffer.from(part.buffer, part.byteOffset, part.length)
    const piece = part.subarray(HEADER_BYTES)
    const [place, count] = [view.readUInt16BE(8), view.readUInt16BE(10)]
    if (count === 1) return place === 0 ? piece : undefined
    return this.#joined(view.readUInt32BE(0), view.readUInt32BE(4), piece, { place, count })
  }

  #joined(
    sender: number,
    message: number,
    piece: Uint8Array,
    { place, count }: { readonly place: number; readonly count: number },
  ): Uint8Array | undefined {
    const known = this.#unfinished.get(sender)
    const pieces = place === 0 ? [] : known?.message === message ? known.pieces : undefined
    this.#unfinished.delete(sender)
    if (pieces?.length !== place || place >= count || count > PARTS_MAX) return undefined
    pieces.push(piece)
    if (pieces.length === count) return Buffer.concat(pieces)
    this.#unfinished.set(sender, { message, pieces })
    for (const oldest of this.#unfinished.keys()) {
      if (this.#unfinished.size <= SENDERS_MAX) break
      this.#unfinished.delete(oldest)
    }
    return undefined
  }
}
