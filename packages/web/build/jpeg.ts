/**
 * A JPEG as an eighth of it: of each block of 8 × 8 pixels only the mean is decoded.
 *
 * @source https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annexes B and F
 */

/** Three bytes per pixel: red, green and blue, row by row from the top. */
export interface ColourImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Values of one table by the bits of their codes behind a 1; -1 for none. */
type Codes = Int16Array

const NO_CODES = new Int16Array(1 << 17).fill(-1)

interface Component {
  /** blocks per unit along and across */
  readonly across: number
  readonly down: number
  /** number of its table of steps */
  readonly table: number
  /** step of the mean */
  step: number
  readonly codes: { dc: Codes; ac: Codes }
  readonly means: Float64Array
}

/** Markers. */
const START_OF_FRAME = 0xc0
const HUFFMAN = 0xc4
const START_OF_SCAN = 0xda
const QUANTIZATION = 0xdb
const RESTART_INTERVAL = 0xdd

/** @throws {Error} for any but a baseline JPEG of three components */
export function eighth(file: Buffer): ColourImage {
  const steps: number[] = []
  const tables = new Map<number, Codes>()
  let size = { width: 0, height: 0 }
  let components: Component[] = []
  let interval = 0
  let at = 2
  for (;;) {
    const marker = file[at + 1]
    const length = file.readUInt16BE(at + 2)
    const data = file.subarray(at + 4, at + 2 + length)
    at += 2 + length
    if (marker === QUANTIZATION) readSteps(steps, data)
    if (marker === HUFFMAN) readCodes(tables, data)
    if (marker === START_OF_FRAME) {
      size = { width: data.readUInt16BE(3) / 8, height: data.readUInt16BE(1) / 8 }
      components = readComponents(data, size)
    }
    if (marker === RESTART_INTERVAL) interval = data.readUInt16BE(0)
    if (marker !== START_OF_SCAN) continue
    if (components.length !== 3) throw new Error('Not as expected')
    for (let i = 0; i < 3; i++) {
      components[i].step = steps[components[i].table]
      components[i].codes.dc = tables.get(data[2 + 2 * i] >> 4) ?? NO_CODES
      components[i].codes.ac = tables.get(16 + (data[2 + 2 * i] & 15)) ?? NO_CODES
    }
    readScan(new Bits(file, at), components, { ...size, interval })
    return coloured(components, size)
  }
}

function readSteps(steps: number[], data: Buffer): void {
  for (let at = 0; at < data.length; at += 65) steps[data[at] & 15] = data[at + 1]
}

function readCodes(tables: Map<number, Codes>, data: Buffer): void {
  for (let at = 0; at < data.length;) {
    const codes = NO_CODES.slice()
    let value = at + 17
    let code = 0
    for (let length = 1; length <= 16; length++) {
      for (let i = 0; i < data[at + length]; i++) codes[(1 << length) | code++] = data[value++]
      code <<= 1
    }
    tables.set(data[at], codes)
    at = value
  }
}

function readComponents(
  data: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Component[] {
  return Array.from({ length: data[5] }, (_, i) => {
    const [, sampling, table] = data.subarray(6 + 3 * i)
    return {
      across: sampling >> 4,
      down: sampling & 15,
      table,
      step: 1,
      codes: { dc: NO_CODES, ac: NO_CODES },
      means: new Float64Array(width * height),
    }
  })
}

/** Bits of a scan, in which a byte 255 is followed by a 0 that counts for nothing. */
class Bits {
  readonly #file: Buffer
  #at: number
  #held = 0
  #count = 0

  constructor(file: Buffer, at: number) {
    this.#file = file
    this.#at = at
  }

  /** Goes on at the next byte, behind a marker. */
  restart(): void {
    this.#count = 0
    this.#at += 2
  }

  next(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = (value << 1) | this.#bit()
    return value
  }

  /** A value by its code. */
  coded(codes: Codes): number {
    for (let code = 1; code < codes.length >> 1;) {
      code = (code << 1) | this.#bit()
      if (codes[code] >= 0) return codes[code]
    }
    throw new Error('Not as expected')
  }

  #bit(): number {
    if (this.#count === 0) {
      this.#held = this.#file[this.#at++]
      if (this.#held === 255) this.#at++
      this.#count = 8
    }
    return (this.#held >> --this.#count) & 1
  }
}

function readScan(
  bits: Bits,
  components: readonly Component[],
  { width, height, interval }: { width: number; height: number; interval: number },
): void {
  const [{ across, down }] = components
  const sums = components.map(() => 0)
  let units = 0
  for (let y = 0; y < height; y += down) {
    for (let x = 0; x < width; x += across) {
      if (interval > 0 && units > 0 && units % interval === 0) {
        bits.restart()
        sums.fill(0)
      }
      units++
      for (const [k, component] of components.entries()) {
        for (let block = 0; block < component.across * component.down; block++) {
          sums[k] += blockMean(bits, component)
          const left = x + (block % component.across)
          const top = y + Math.floor(block / component.across)
          component.means[top * width + left] = sums[k]
        }
      }
    }
  }
}

/** The difference of a block's mean to that of the block before; all else is passed over. */
function blockMean(bits: Bits, { codes: { dc, ac }, step }: Component): number {
  const size = bits.coded(dc)
  const value = bits.next(size)
  const difference = size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  for (let i = 1; i < 64; i++) {
    const code = bits.coded(ac)
    if (code === 0) break
    i += code >> 4
    bits.next(code & 15)
  }
  return (difference * step) / 8
}

function coloured(
  components: readonly Component[],
  { width, height }: { readonly width: number; readonly height: number },
): ColourImage {
  const [{ across, down }] = components
  const pixels = new Uint8Array(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Colours have one block where brightness has several.
      const shared = (y - (y % down)) * width + x - (x % across)
      const bright = components[0].means[y * width + x] + 128
      const blue = components[1].means[components[1].across === across ? y * width + x : shared]
      const red = components[2].means[components[2].across === across ? y * width + x : shared]
      const colour = [
        bright + 1.402 * red,
        bright - 0.344 * blue - 0.714 * red,
        bright + 1.772 * blue,
      ]
      for (const [k, part] of colour.entries()) {
        pixels[3 * (y * width + x) + k] = Math.min(Math.max(Math.round(part), 0), 255)
      }
    }
  }
  return { width, height, pixels }
}
