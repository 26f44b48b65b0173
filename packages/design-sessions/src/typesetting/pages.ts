import type { Block, Figure, Heading, PlacedPicture } from './pdf-input.ts'
import type { Size } from './picture-layout.ts'

export type Pictures = Readonly<Record<string, PlacedPicture>>

/** Height of the text of an A4 page, and of what stands above and below a picture [mm]. */
const TEXT_HEIGHT = 252
const CHAPTER_HEIGHT = 18
const HEADING_HEIGHT = 17
const CAPTION_HEIGHT = 8
const GAP = 6

/** Width of the text, and between parts of a picture [mm]. */
const TEXT_WIDTH = 170
const GUTTER = 4

/** Characters of a heading in one line. */
const HEADING_MAX = 60

/** Margins of a page of its own, above and below [mm]. */
const MARGINS = 44

/** Blocks whose figures share pages: those of their own, and those of the text. */
export function paged(body: readonly Block[], pictures: Pictures): readonly Block[] {
  const out: Block[] = []
  for (let i = 0; i < body.length;) {
    const end = body.findIndex((block, j) => j >= i && !isFigure(block))
    const run = body.slice(i, end < 0 ? body.length : end).filter(isFigure)
    const block = body[i]
    if (run.length > 0) out.push(...figurePages(run, headingsBefore(out), pictures))
    else if (block.type === 'table' && block.fit?.isTurned) {
      out.push({ ...block, above: headingsBefore(out) })
    } else out.push(block)
    i += Math.max(1, run.length)
  }
  return out
}

function isFigure(block: Block): block is Figure {
  return block.type === 'figure'
}

/** Takes the headings at the end of what is placed, which go with the first figure. */
function headingsBefore(out: Block[]): readonly Block[] {
  const start = out.findLastIndex(({ type }) => type !== 'heading') + 1
  return out.splice(start)
}

/** Figures that follow each other, as many on a page as have room. */
function figurePages(
  [first, ...others]: readonly Figure[],
  above: readonly Block[],
  pictures: Pictures,
): readonly Block[] {
  let left: readonly Figure[] = [{ ...first, above: [...above, ...first.above] }, ...others]
  const sizes = left.map((figure) => heightOf(figure, pictures))
  // From the top of a page on it is known how many have room.
  const isLong = sum(sizes, ({ fixed, picture }) => fixed + picture) > TEXT_HEIGHT
  const out: Block[] = []
  while (left.length > 0) {
    const page = pictures[left[0].artifact]?.page ?? null
    const isSame = ({ artifact }: Figure): boolean => isEqual(pictures[artifact]?.page, page)
    const end = left.findIndex((figure) => !isSame(figure))
    const alike = end < 0 ? left : left.slice(0, end)
    const room = page ? page.height - MARGINS : TEXT_HEIGHT
    const together = fitting(alike, room, pictures)
    if (page) out.push({ type: 'sheet', page, figures: together })
    else if (isLong && out.length === 0) out.push({ type: 'pagebreak' }, ...together)
    else out.push(...(isLong ? together : left.slice(0, together.length)))
    left = left.slice(together.length)
  }
  return out
}

function isEqual(a: Size | null = null, b: Size | null): boolean {
  return a?.width === b?.width && a?.height === b?.height
}

/** The first figures that have room on a page, at least one, with how far they shrink for it. */
function fitting(figures: readonly Figure[], room: number, pictures: Pictures): readonly Figure[] {
  const sizes = figures.map((figure) => heightOf(figure, pictures))
  const heightAt = (count: number, scale: number): number =>
    sum(
      sizes.slice(0, count),
      ({ fixed, picture, least }) => fixed + picture * Math.max(scale, least),
    )
  let count = 1
  while (count < figures.length && heightAt(count + 1, 0) <= room) count++
  let scale = 1
  while (scale > 0 && heightAt(count, scale) > room) scale -= 0.01
  return figures
    .slice(0, count)
    .map((figure, i) => ({ ...figure, scale: Math.max(scale, sizes[i].least) }))
}

interface Height {
  readonly picture: number
  /** how far the picture may shrink */
  readonly least: number
  /** of headings and caption */
  readonly fixed: number
}

/** [mm] */
function heightOf({ artifact, above, caption }: Figure, pictures: Pictures): Height {
  const headings = sum(above, (block) =>
    block.type === 'heading'
      ? (block.level === 1 ? CHAPTER_HEIGHT : HEADING_HEIGHT) * linesOf(block)
      : CAPTION_HEIGHT,
  )
  const found = pictures[artifact]
  const fixed = headings + GAP + (caption ? CAPTION_HEIGHT : 0)
  return { fixed, picture: found ? shownHeight(found) : CAPTION_HEIGHT, least: found?.least ?? 1 }
}

function linesOf({ body }: Heading): number {
  const length = sum(body, (part) => ('value' in part ? part.value.length : 0))
  return Math.max(1, Math.ceil(length / HEADING_MAX))
}

/** Of a picture, or of its parts below or beside each other [mm]. */
function shownHeight({ width, height, page, parts }: PlacedPicture): number {
  if (page || parts.length === 0) return height
  const highest = Math.max(...parts.map((part) => part.height)) + GUTTER
  const beside = width > height ? 1 : Math.max(1, Math.floor(TEXT_WIDTH / (width + GUTTER)))
  return highest * Math.ceil(parts.length / beside) + CAPTION_HEIGHT
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
