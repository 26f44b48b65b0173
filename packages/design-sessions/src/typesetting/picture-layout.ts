import type { Measured } from './svg-measures.ts'

/** Size of a page or picture [mm]. */
interface Size {
  readonly width: number
  readonly height: number
}

/** A picture on paper. */
export interface PictureLayout extends Size {
  /** page of its own; null within the text */
  readonly page: Size | null
  /** moves to the top of a page, so that it leaves none half empty */
  readonly isTall: boolean
  /** parts that it is cut into: one on each page, or one after the other within the text */
  readonly columns: number
  readonly rows: number
}

const MM_PER_PT = 25.4 / 72

/** Smallest letters of a picture [pt]: on a page of its own, within a text, with room to spare. */
const LETTER_MIN = 6.2
const LETTER_READABLE = 7.5
const LETTER_USUAL = 9.5

/** CSS pixel [mm]. */
const PX = 25.4 / 96

/** Room within the text, and at the top of a page with text below [mm]. */
const IN_TEXT: Size = { width: 170, height: 120 }
const ON_TOP: Size = { width: 170, height: 205 }

/** Wider than high by this factor or the reverse: a page of its own would be nearly empty. */
const RATIO_MAX = 4.5

/** Height of a picture that is cut into lines; what is higher would be torn apart [mm]. */
const LINE_MAX = 60

/** What a part of a picture repeats of those beside it [mm]. */
const OVERLAP = 10

/** Parts of a picture that is cut within the text. */
const PARTS_MAX = 60

/** Margins, heading and footer of a page with one picture [mm]. */
const AROUND: Size = { width: 40, height: 72 }

const A4: Size = { width: 210, height: 297 }
const A3: Size = { width: 297, height: 420 }

/** Longest side of a page in PDF [mm]. */
const SIDE_MAX = 5000

/** A picture that needs more pages has letters that are not meant to be read. */
const PAGES_MAX = 16

/**
 * The place of a picture: within the text if its letters can be read there, otherwise on a page of
 * its own, A4 or A3, upright or across. A picture that needs more gets a page of its size.
 */
export function pictureLayout(picture: Measured): PictureLayout {
  const least = scaleAt(picture, LETTER_MIN)
  const usual = Math.max(least, Math.min(PX, scaleAt(picture, LETTER_USUAL) || PX))
  const readable = Math.min(usual, scaleAt(picture, LETTER_READABLE))
  for (const room of [IN_TEXT, ON_TOP]) {
    const scale = Math.min(usual, fit(picture, room))
    if (scale < readable) continue
    const isTall = room === ON_TOP
    return { ...sized(picture, scale), page: null, isTall, columns: 1, rows: 1 }
  }
  const papers = [A4, A3].map((paper) => onPaper(picture, paper, usual))
  const onOne = papers.find(({ scale }) => scale >= least)
  // On a whole page a high and narrow picture would be a line.
  const isLine = picture.height > picture.width * RATIO_MAX
  return (
    (isLine ? (inParts(picture) ?? onOne) : (onOne ?? inParts(picture))) ??
    ofItsSize(picture) ??
    papers[papers.length - 1]
  )
}

/** A narrow picture, cut into lines like a text. */
function inParts(picture: Measured): PictureLayout | undefined {
  const { width, height } = sized(picture, scaleAt(picture, LETTER_READABLE))
  const place = { width, height, page: null, isTall: false }
  const columns = Math.ceil(width / (IN_TEXT.width - OVERLAP))
  const rows = Math.ceil(height / (IN_TEXT.height - OVERLAP))
  if (width > height * RATIO_MAX && height < LINE_MAX && columns <= PARTS_MAX) {
    return { ...place, columns, rows: 1 }
  }
  if (height > width * RATIO_MAX && width < LINE_MAX && rows <= PARTS_MAX) {
    return { ...place, columns: 1, rows }
  }
  return undefined
}

/** On a whole page, upright or across, whichever is larger. */
function onPaper(
  picture: Measured,
  paper: Size,
  usual: number,
): PictureLayout & { readonly scale: number } {
  const [best] = [paper, { width: paper.height, height: paper.width }]
    .map((page) => ({ page, scale: Math.min(usual, fit(picture, inside(page))) }))
    .toSorted((a, b) => b.scale - a.scale)
  const size = sized(picture, best.scale)
  // A low picture would leave the page nearly empty.
  const page = { ...best.page, height: Math.min(best.page.height, size.height + AROUND.height) }
  return { ...size, page, scale: best.scale, isTall: false, columns: 1, rows: 1 }
}

/** On a page as large as it needs, or several of them. */
function ofItsSize(picture: Measured): PictureLayout | undefined {
  const { width, height } = sized(picture, scaleAt(picture, LETTER_READABLE))
  const room = inside({ width: SIDE_MAX, height: SIDE_MAX })
  const [columns, rows] = [Math.ceil(width / room.width), Math.ceil(height / room.height)]
  if (columns * rows > PAGES_MAX) return undefined
  const page = {
    width: Math.max(A4.width, width / columns + AROUND.width),
    height: height / rows + AROUND.height,
  }
  return { width, height, page, isTall: false, columns, rows }
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
