import { plainSvg } from '../pictures/drawable-svg.ts'
import { cropped, inkOf } from './ink.ts'
import { heading, paragraph, plain } from './pdf-blocks.ts'
import type { Block, Figure, Picture, PlacedPicture } from './pdf-input.ts'
import { pictureLayout } from './picture-layout.ts'
import { type Pictures, paged } from './pages.ts'
import { measured } from './svg-measures.ts'

/** Typst draws what has a shadow as pixels. */
const SHADOW = /filter:url\([^()]*shadow\);?/g

/** Blocks and pictures: those that need it on pages of their own, those beyond A3 at the end. */
export function placedFigures(
  body: readonly Block[],
  svgs: Readonly<Record<string, string>>,
): { readonly body: readonly Block[]; readonly pictures: Pictures } {
  const figures = new Set(body.flatMap((one) => (one.type === 'figure' ? [one.artifact] : [])))
  const pictures: Record<string, PlacedPicture> = {}
  for (const [id, svg] of Object.entries(svgs)) {
    const placed = placedPicture(svg)
    pictures[id] = { ...placed, isFigure: figures.has(id) || placed.page !== null }
  }
  const { inText, giants } = withFigures(body, pictures, figures)
  const [first, ...others] = giants
  if (!first) return { body: paged(inText, pictures), pictures }
  const chapter = inText.length > 0 ? [heading(1, 'Large diagrams')] : []
  const last = [{ ...first, above: [...chapter, ...first.above] }, ...others]
  return { body: [...paged(inText, pictures), ...paged(last, pictures)], pictures }
}

function placedPicture(given: string): Omit<PlacedPicture, 'isFigure'> {
  const whole = plainSvg(given).replaceAll(SHADOW, '')
  const size = measured(whole)
  const ink = inkOf(whole, size)
  if (!ink) return { svg: whole, ...pictureLayout(size) }
  const found = cropped({ svg: whole, ink }, size)
  return { svg: found.svg, ...pictureLayout(measured(found.svg), found.ink) }
}

/** Pictures that need a page as figures at their place, and those that go to the end. */
function withFigures(
  body: readonly Block[],
  pictures: Pictures,
  given: Set<string>,
): { readonly inText: readonly Block[]; readonly giants: readonly Figure[] } {
  const inText: Block[] = []
  const giants: Figure[] = []
  const add = (figure: Figure): void => {
    if (!pictures[figure.artifact]?.isGiant) inText.push(figure)
    else if (giants.push(figure) > 0) inText.push(referring(figure))
  }
  for (const block of body) {
    if (block.type === 'figure') {
      add(block)
      continue
    }
    const found = [...picturesIn(block)].filter(
      ({ artifact }) => pictures[artifact]?.page && !given.has(artifact),
    )
    const isInText = block.type === 'picture' && isShownInText(block, pictures)
    // A picture by itself stands where it is, others below what refers to them.
    if (isInText) inText.push({ ...block, type: 'figure', above: [] })
    else if (found.length === 0 || block.type !== 'picture') inText.push(block)
    for (const { artifact, alt, caption } of found) {
      if (given.has(artifact)) continue
      given.add(artifact)
      const isGiant = pictures[artifact].isGiant
      const above = isGiant ? [heading(2, alt || 'Diagram')] : []
      add({ type: 'figure', artifact, alt, above, caption: isGiant ? null : caption })
    }
  }
  return { inText, giants }
}

function isShownInText({ artifact }: Picture, pictures: Pictures): boolean {
  return Object.hasOwn(pictures, artifact) && !pictures[artifact].isFigure
}

function referring({ artifact, alt }: Figure): Block {
  const name = { type: 'picture', artifact, alt, caption: null } as const
  return paragraph(plain('On a page of its own: '), name, plain('.'))
}

function* picturesIn(value: unknown): Generator<Picture> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && value.type === 'picture') yield value as Picture
  else for (const inner of Object.values(value)) yield* picturesIn(inner)
}
