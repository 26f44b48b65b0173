/**
 * Stars and the Milky Way from the data of d3-celestial.
 *
 * @source stars: XHIP (Anderson & Francis 2012), V ≤ 6; Milky Way: outlines by J. R. Vieira,
 *   through github:ofrohn/d3-celestial (BSD-3-Clause)
 */
import type { GreyImage } from './png.ts'

/** What of GeoJSON is read: right ascension and declination in degrees, J2000. */
interface Feature<Coordinates> {
  readonly properties: { readonly mag?: number; readonly bv?: string }
  readonly geometry: { readonly coordinates: Coordinates }
}

interface Features<Coordinates> {
  readonly features: readonly Feature<Coordinates>[]
}

type Point = readonly [number, number]

export type StarFeatures = Features<Point>
export type MilkyWayFeatures = Features<readonly (readonly (readonly Point[])[])[]>

/** Bytes per star: direction as three int16, magnitude and colour index as bytes. */
const STAR_BYTES = 8

const DEGREE = Math.PI / 180

/** Brightest first: x, y, z ICRF times 32,767; (V + 2) times 30; (B − V + 0.5) times 90. */
export function starBytes({ features }: StarFeatures): Uint8Array {
  const stars = features
    .map(({ properties: { mag = 6, bv }, geometry: { coordinates } }) => ({
      magnitude: mag,
      colour: Number(bv) || 0,
      rightAscension: coordinates[0] * DEGREE,
      declination: coordinates[1] * DEGREE,
    }))
    .toSorted((a, b) => a.magnitude - b.magnitude)
  const out = Buffer.alloc(stars.length * STAR_BYTES)
  for (const [i, { magnitude, colour, rightAscension, declination }] of stars.entries()) {
    const at = i * STAR_BYTES
    const across = Math.cos(declination)
    out.writeInt16LE(Math.round(32_767 * across * Math.cos(rightAscension)), at)
    out.writeInt16LE(Math.round(32_767 * across * Math.sin(rightAscension)), at + 2)
    out.writeInt16LE(Math.round(32_767 * Math.sin(declination)), at + 4)
    out[at + 6] = byte((magnitude + 2) * 30)
    out[at + 7] = byte((colour + 0.5) * 90)
  }
  return out
}

function byte(value: number): number {
  return Math.round(Math.min(Math.max(value, 0), 255))
}

/** Nested outlines filled, right ascension 0 in the middle and growing to the right. */
export function milkyWayImage({ features }: MilkyWayFeatures, height: number): GreyImage {
  const width = 2 * height
  const pixels = new Uint8Array(width * height)
  const step = Math.floor(255 / features.length)
  for (const { geometry } of features) {
    for (const [x, rows] of crossedRows(geometry.coordinates.flat(), width).entries()) {
      // From the north pole, which is outside, every second stretch is inside.
      for (let i = 0; i + 1 < rows.length; i += 2) {
        for (let y = Math.ceil(rows[i]); y < rows[i + 1]; y++) pixels[y * width + x] += step
      }
    }
  }
  return blurred(blurred({ width, height, pixels }))
}

/** Per column of pixels the rows at which outlines cross it, sorted. */
function crossedRows(rings: readonly (readonly Point[])[], width: number): readonly number[][] {
  const columns: number[][] = Array.from({ length: width }, () => [])
  const scale = width / 360
  for (const ring of rings) {
    for (const [i, [angle, declination]] of ring.entries()) {
      const [before, declinationBefore] = ring[(i || ring.length) - 1]
      const turned = ((((angle - before + 540) % 360) + 360) % 360) - 180
      const from = (before + 180) * scale - 0.5
      const to = from + turned * scale
      for (let x = Math.ceil(Math.min(from, to)); x < Math.max(from, to); x++) {
        const crossing =
          declinationBefore + ((declination - declinationBefore) * (x - from)) / (to - from)
        columns[(x + width) % width].push((90 - crossing) * scale - 0.5)
      }
    }
  }
  return columns.map((rows) => rows.toSorted((a, b) => a - b))
}

/** Pixels on each side that a pixel is averaged with. */
const BLUR = 6

function blurred({ width, height, pixels }: GreyImage): GreyImage {
  const rows = averaged(pixels, { count: height, length: width, stride: 1, isRound: true })
  const shape = { count: width, length: height, stride: width, isRound: false }
  return { width, height, pixels: averaged(rows, shape) }
}

interface Lines {
  readonly count: number
  readonly length: number
  /** from one pixel of a line to the next */
  readonly stride: number
  /** a line's end meets its start */
  readonly isRound: boolean
}

function averaged(pixels: Uint8Array, { count, length, stride, isRound }: Lines): Uint8Array {
  const out = new Uint8Array(pixels.length)
  const across = stride === 1 ? length : 1
  for (let line = 0; line < count; line++) {
    for (let i = 0; i < length; i++) {
      let sum = 0
      for (let d = -BLUR; d <= BLUR; d++) {
        const at = isRound ? (i + d + length) % length : Math.min(Math.max(i + d, 0), length - 1)
        sum += pixels[line * across + at * stride]
      }
      out[line * across + i * stride] = sum / (2 * BLUR + 1)
    }
  }
  return out
}
