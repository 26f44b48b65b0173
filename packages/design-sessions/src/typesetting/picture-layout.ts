import { type Ink, cutsOf } from './ink.ts'
import type { Measured } from './svg-measures.ts'

/** Size of a page or picture [mm]. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of a picture that is cut, from the picture's corner [mm]. */
export interface Part extends Size {
  readonly x: number
  readonly y: number
}

/** A picture on paper. */
export interface PictureLayout extends Size {
  /** page of its own; null within the text */
  readonly page: Size | null
  /** whether it needs a page beyond A3, which stands at the end */
  readonly isGiant: boolean
  /** how far it may shrink, so that it shares a page */
  readonly least: number
  /** empty for a whole picture */
  readonly parts: readonly Part[]
}

const MM_PER_PT = 25.4 / 72

/** Smallest letters of a picture [pt]: at least, within a text, with room to spare, at most. */
const LETTER_MIN = 6.2
const LETTER_READABLE = 6.5
const LETTER_USUAL = 9.5
const LETTER_LARGE = 13

/** CSS pixel [mm]. */
const PX = 25.4 / 96

/** How far a picture shrinks to share a page with others. */
const SHRINK_MIN = 0.6

/** Without letters a picture on a page of its own may grow to this many times its size. */
const GROWTH_MAX = 2

/** Room within the text, beyond its margins, and on a whole page [mm]. */
const ROOMS: readonly Size[] = [
  { width: 170, height: 120 },
  { width: 190, height: 120 },
  { width: 190, height: 212 },
]

/** Wider than high by this factor or the reverse: a page of its own would be nearly empty. */
const RATIO_MAX = 4.5

/** Height of a picture that is cut into lines; what is higher would be torn apart [mm]. */
const LINE_MAX = 60

/** Length of a line, across and upright [mm]. */
const LINES: Size = { width: 185, height: 105 }

/** Margins of a page with one picture, its heading and footer [mm]. */
const AROUND: Size = { width: 20, height: 64 }

const A4: Size = { width: 210, height: 297 }
const A3: Size = { width: 297, height: 420 }
const A0: Size = { width: 841, height: 1189 }
const GIANTS: readonly Size[] = [{ width: 420, height: 594 }, { width: 594, height: 841 }, A0]

/** A picture that needs more pages has letters that are not meant to be read. */
const PAGES_MAX = 16

/** What a part of a torn picture repeats of those beside it [mm]. */
const OVERLAP = 10

/**
 * The place of a picture: within the text if its letters can be read there, otherwise on a page of
 * its own, A4 or A3, upright or across. What needs more gets larger paper.
 */
export function pictureLayout(picture: Measured, ink?: Ink): PictureLayout {
  const least = scaleAt(picture, LETTER_MIN)
  const usual = Math.max(least, Math.min(PX, scaleAt(picture, LETTER_USUAL) || PX))
  const readable = Math.min(usual, scaleAt(picture, LETTER_READABLE))
  for (const room of ROOMS) {
    const scale = Math.min(usual, fit(picture, room))
    const shrink = Math.max(SHRINK_MIN, readable / scale)
    if (scale >= readable) return { ...WHOLE, ...sized(picture, scale), least: shrink }
  }
  const papers = [A4, A3, ...GIANTS].map((paper) => onPaper(picture, paper))
  const found = papers.find(({ scale }) => scale >= least)
  const isGiant = found === undefined || found.page.width * found.page.height > A3.width * A3.height
  return (
    (ink && inLines(picture, ink)) ??
    (found ? { ...found, isGiant } : (torn(picture) ?? { ...papers[papers.length - 1], isGiant }))
  )
}

const WHOLE = { page: null, isGiant: false, least: 1, parts: [] } as const

/** A narrow picture, cut into lines like a text. */
function inLines(picture: Measured, ink: Ink): PictureLayout | undefined {
  const { width, height } = sized(picture, scaleAt(picture, LETTER_READABLE + 1))
  const isWide = width > height * RATIO_MAX && height < LINE_MAX
  const isHigh = height > width * RATIO_MAX && width < LINE_MAX && width > 0
  if (!isWide && !isHigh) return undefined
  const cuts = isWide
    ? cutsOf(ink.columns, ink.rows.length, LINES.width / width)
    : cutsOf(ink.rows, ink.columns.length, LINES.height / height)
  const parts = cuts?.slice(1).map((end, i) => {
    const [start, share] = [cuts[i], end - cuts[i]]
    return isWide
      ? { x: start * width, y: 0, width: share * width, height }
      : { x: 0, y: start * height, width, height: share * height }
  })
  return parts && { ...WHOLE, width, height, parts }
}

/** On a whole page, upright or across, whichever is larger. */
function onPaper(
  picture: Measured,
  paper: Size,
): PictureLayout & { readonly page: Size; readonly scale: number } {
  const large = Math.min(PX * GROWTH_MAX, scaleAt(picture, LETTER_LARGE) || Infinity)
  const [{ page, scale }] = [paper, { width: paper.height, height: paper.width }]
    .map((one) => ({ page: one, scale: Math.min(large, fit(picture, inside(one))) }))
    .toSorted((a, b) => b.scale - a.scale)
  return { ...WHOLE, ...sized(picture, scale), page, scale }
}

/** On several pages of the largest paper. */
function torn(picture: Measured): PictureLayout | undefined {
  const { width, height } = sized(picture, scaleAt(picture, LETTER_READABLE))
  const page = width > height ? { width: A0.height, height: A0.width } : A0
  const room = inside(page)
  const [wide, high] = [room.width - 2 * OVERLAP, room.height - 2 * OVERLAP]
  const [columns, rows] = [Math.ceil(width / wide), Math.ceil(height / high)]
  if (columns * rows > PAGES_MAX) return undefined
  const parts = Array.from({ length: columns * rows }, (_, i) => {
    const [left, right] = span(width, columns, i % columns)
    const [top, bottom] = span(height, rows, Math.floor(i / columns))
    return { x: left, y: top, width: right - left, height: bottom - top }
  })
  return { width, height, page, isGiant: true, least: 1, parts }
}

/** One of equal parts of a length, with what it repeats of those beside it. */
function span(length: number, count: number, i: number): readonly [from: number, to: number] {
  const part = length / count
  return [Math.max(0, i * part - OVERLAP), Math.min(length, (i + 1) * part + OVERLAP)]
}

/** Scale at which the smallest letters have a size [mm per unit]. */
function scaleAt({ letter }: Measured, points: number): number {
  return (points * MM_PER_PT) / letter
}

function fit({ width, height }: Measured, room: Size): number {
  return Math.min(room.width / width, room.height / height)
}

function sized({ width, height }: Measured, scale: number): Size {
  return { width: width * scale, height: height * scale }
}

function inside({ width, height }: Size): Size {
  return { width: width - AROUND.width, height: height - AROUND.height }
}
