import { absorbBytes, createDigest, finish } from '@orrery/sim'
import { type Views, writePlanes } from './byte-planes.ts'

/** What the bytes of an image are made of, in their order. */
export interface ImageParts {
  readonly tables: readonly {
    readonly columns: readonly { readonly name: string; readonly components: number }[]
    readonly rows: number
    readonly views: Views
  }[]
  /** UTF-8 */
  readonly text: readonly Uint8Array[]
  readonly doubles: readonly Float64Array[]
  /** the header as text, which is sealed with the bytes */
  readonly header: string
}

/** Bytes of the seal that an image ends with: a digest of `sim`, which browsers can make too. */
export const SEAL_BYTES = 16

/** So much is copied at a time to be sealed. */
const PIECE_BYTES = 1_048_576

/** What an image is made of, and the length of all its bytes. */
export interface PackedImage {
  readonly parts: ImageParts
  readonly length: number
}

/** The bytes of some images, one after the other. */
export function imagesBytes(images: readonly PackedImage[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(images.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const { parts, length } of images) {
    writeImage(all.subarray(at, at + length), parts)
    at += length
  }
  return all
}

/**
 * Writes the bytes of an image.
 *
 * ```
 * | tables, in planes of bytes | text | doubles | digest of the header and of all this |
 * ```
 *
 */
function writeImage(bytes: Uint8Array, parts: ImageParts): void {
  let at = 0
  for (const { columns, rows, views } of parts.tables) {
    at = writePlanes(bytes, at, columns, views, rows)
  }
  for (const { buffer, byteOffset, byteLength } of [...parts.text, ...parts.doubles]) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += byteLength
  }
  bytes.set(sealOf(parts.header, bytes.subarray(0, at)), at)
}

/** What shows that a header and the bytes beside it are those that were made together. */
export function sealOf(header: string, bytes: Uint8Array): Uint8Array {
  const lanes = createDigest()
  absorbBytes(lanes, new TextEncoder().encode(header))
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    absorbBytes(lanes, bytes.subarray(at, at + PIECE_BYTES))
  }
  finish(lanes)
  return new Uint8Array(lanes.buffer)
}
