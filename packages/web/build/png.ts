/**
 * Images as PNG, and those that a package brings.
 *
 * @source https://www.w3.org/TR/png-3/
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { ColourImage } from './jpeg.ts'

/** One byte per pixel, row by row from the top. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Bit depth 8 and a colour type; then method, filters and interlacing, all 0. */
const GREY = 0
const COLOUR = 2
const PALETTE = 3

/** An image of one or of three bytes per pixel. */
export function encodedPng({ width, height, pixels }: GreyImage | ColourImage): Uint8Array {
  const length = pixels.length / height
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = length === width ? GREY : COLOUR
  // Each row less the one above (filter 2), which compresses smooth images well.
  const rows = Buffer.alloc(height * (length + 1))
  for (let y = 0; y < height; y++) {
    rows[y * (length + 1)] = 2
    for (let x = 0; x < length; x++) {
      const above = y > 0 ? pixels[(y - 1) * length + x] : 0
      rows[y * (length + 1) + 1 + x] = pixels[y * length + x] - above
    }
  }
  const data = deflateSync(rows, { level: 9 })
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const check = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/**
 * The opacity of an image with a palette of 8 bits, neither interlaced nor filtered.
 *
 * @throws {Error} for any other PNG
 */
export function paletteOpacity(file: Buffer): GreyImage {
  let width = 0
  let height = 0
  let opacity: Uint8Array = Buffer.alloc(0)
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at < file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const data = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = data.readUInt32BE(0)
      height = data.readUInt32BE(4)
      if (data[8] !== 8 || data[9] !== PALETTE || data[12] !== 0) throw new Error('Not as expected')
    }
    if (type === 'tRNS') opacity = data
    if (type === 'IDAT') parts.push(data)
    at += length + 12
  }
  const rows = inflateSync(Buffer.concat(parts))
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (width + 1), (y + 1) * (width + 1))
    // Images with a palette gain nothing by filters.
    if (row[0] !== 0) throw new Error('Not as expected')
    for (let x = 0; x < width; x++) pixels[y * width + x] = opacity[row[x + 1]] ?? 255
  }
  return { width, height, pixels }
}

/** Every pixel the mean of a square of so many pixels. */
export function reduced({ width, height, pixels }: GreyImage, factor: number): GreyImage {
  const small = { width: width / factor, height: height / factor }
  const out = new Uint8Array(small.width * small.height)
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      let sum = 0
      for (let dy = 0; dy < factor; dy++) {
        const from = (y * factor + dy) * width + x * factor
        for (let dx = 0; dx < factor; dx++) sum += pixels[from + dx]
      }
      out[y * small.width + x] = sum / (factor * factor)
    }
  }
  return { ...small, pixels: out }
}
