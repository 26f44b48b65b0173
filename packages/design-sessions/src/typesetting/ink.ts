import { Resvg } from '@resvg/resvg-js'
import { resvgFont } from '../pictures/png.ts'
import type { Measured } from './svg-measures.ts'

/** Pixels of a picture that is looked at. */
const PIXELS_MAX = 1_000_000

/** What is left around a picture [CSS px]. */
const MARGIN = 8

/** Lighter pixels are paper. */
const PAPER = 250

/** How many pixels of each row and column of a picture are drawn. */
export interface Ink {
  readonly columns: readonly number[]
  readonly rows: readonly number[]
}

/** Looks at an SVG; undefined if it cannot be drawn. */
export function inkOf(svg: string, { width, height }: Measured): Ink | undefined {
  const scale = Math.min(1, Math.sqrt(PIXELS_MAX / (width * height)))
  try {
    const options = { font: resvgFont(svg), background: '#ffffff' }
    const fitTo = { mode: 'width', value: Math.max(1, Math.round(width * scale)) } as const
    const image = new Resvg(svg, { ...options, fitTo }).render()
    return countedInk(image.pixels, image.width, image.height)
  } catch {
    return undefined
  }
}

function countedInk(pixels: Uint8Array, width: number, height: number): Ink {
  const columns = Array.from({ length: width }, () => 0)
  const rows = Array.from({ length: height }, () => 0)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      if (Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) >= PAPER) continue
      columns[x]++
      rows[y]++
    }
  }
  return { columns, rows }
}

const ROOT = /^([^]*?<svg\b)([^>]*)>/

/** A picture, and its ink. */
interface Inked {
  readonly svg: string
  readonly ink: Ink
}

/** A picture without the empty paper around it. */
export function cropped({ svg, ink }: Inked, { width, height }: Measured): Inked {
  const across = spanOf(ink.columns, width)
  const down = spanOf(ink.rows, height)
  const [, opening = '', attributes = ''] = ROOT.exec(svg) ?? []
  if (!(across.length > 0 && down.length > 0) || opening === '') return { svg, ink }
  const box = /\bviewBox="([^"]*)"/.exec(attributes)?.[1]
  const [x0, y0, wide, high] = box
    ?.trim()
    .split(/[\s,]+/)
    .map(Number) ?? [0, 0, width, height]
  const zoom = Math.min(width / wide, height / high)
  const view = [
    x0 + across.from / zoom,
    y0 + down.from / zoom,
    across.length / zoom,
    down.length / zoom,
  ]
  const others = attributes.replaceAll(
    /\s(?:viewBox|width|height|preserveAspectRatio)="[^"]*"/g,
    '',
  )
  const size = `width="${across.length}" height="${down.length}"`
  const rest = svg.slice(opening.length + attributes.length)
  return {
    svg: `${opening}${others} viewBox="${view.join(' ')}" ${size}${rest}`,
    ink: { columns: across.ink, rows: down.ink },
  }
}

interface Span {
  readonly from: number
  readonly length: number
  /** within it */
  readonly ink: readonly number[]
}

/** Where there is ink, with a margin, along a side of some length. */
function spanOf(ink: readonly number[], length: number): Span {
  const last = ink.findLastIndex((count) => count > 0)
  if (last < 0) return { from: 0, length: 0, ink }
  const margin = Math.round((MARGIN / length) * ink.length)
  const first = Math.max(0, ink.findIndex((count) => count > 0) - margin)
  const end = Math.min(ink.length, last + 1 + margin)
  const unit = length / ink.length
  return { from: first * unit, length: (end - first) * unit, ink: ink.slice(first, end) }
}

/** Share of a line's height that a cut may go through: an edge, but no box. */
const CUT_MAX = 0.15

/** Pixels at both sides of a cut that count: it leaves no letter of a label alone. */
const CUT_REACH = 8

/**
 * Where a long picture is cut into lines, as shares of its length with both ends, so that a cut
 * goes through edges alone.
 *
 * @param across  pixels of a whole line
 * @param partMax  share of the length that a line holds
 * @returns undefined where there is no such place
 */
export function cutsOf(
  counts: readonly number[],
  across: number,
  partMax: number,
): readonly number[] | undefined {
  const ink = counts.map((_, i) =>
    Math.max(...counts.slice(Math.max(0, i - CUT_REACH), i + CUT_REACH)),
  )
  const cuts = [0]
  const longest = Math.floor(partMax * ink.length)
  for (let start = 0; ink.length - start > longest;) {
    const parts = Math.ceil((ink.length - start) / longest)
    const wanted = start + (ink.length - start) / parts
    let best = -1
    for (let i = start + Math.ceil(longest / 2); i <= start + longest; i++) {
      const isNearer = Math.abs(i - wanted) < Math.abs(best - wanted)
      if (best < 0 || ink[i] < ink[best] || (ink[i] === ink[best] && isNearer)) best = i
    }
    if (best < 0 || ink[best] > across * CUT_MAX) return undefined
    cuts.push(best / ink.length)
    start = best
  }
  return [...cuts, 1]
}
