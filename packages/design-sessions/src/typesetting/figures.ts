import { plainSvg } from '../pictures/drawable-svg.ts'
import { heading, paragraph, plain } from './pdf-blocks.ts'
import type { Block, Figure, Picture, PlacedPicture } from './pdf-input.ts'
import { pictureLayout } from './picture-layout.ts'
import { measured } from './svg-measures.ts'

/** Typst draws what has a shadow as pixels. */
const SHADOW = /filter:url\([^()]*shadow\);?/g

/** Blocks and pictures; a picture that needs a page of its own becomes a figure at the end. */
export function placedFigures(
  body: readonly Block[],
  svgs: Readonly<Record<string, string>>,
): { readonly body: readonly Block[]; readonly pictures: Record<string, PlacedPicture> } {
  const given = new Set(body.flatMap((one) => (one.type === 'figure' ? [one.artifact] : [])))
  const pictures: Record<string, PlacedPicture> = {}
  for (const [id, svg] of Object.entries(svgs)) {
    const drawable = plainSvg(svg).replaceAll(SHADOW, '')
    const layout = pictureLayout(measured(drawable))
    const isFigure = given.has(id) || layout.page !== null
    pictures[id] = { svg: drawable, ...layout, isFigure }
  }
  const isLarge = (block: Block): block is Figure =>
    block.type === 'figure' && Boolean(pictures[block.artifact]?.page)
  const large = body.filter(isLarge)
  const inText: Block[] = []
  for (const [i, block] of body.entries()) {
    if (!isLarge(block)) inText.push(withHeading(block, inText, pictures))
    const isLast = block.type === 'figure' && body[i + 1]?.type !== 'figure'
    if (isLast && large.length > 0 && body.length > 1) inText.push(referring(large))
  }
  for (const { artifact, alt } of picturesIn(inText)) {
    if (given.has(artifact) || !pictures[artifact]?.page) continue
    given.add(artifact)
    large.push({ type: 'figure', artifact, alt, above: [heading(2, alt || 'Diagram')] })
  }
  const [first, ...others] = large
  if (!first) return { body: inText, pictures }
  const chapter = inText.length > 0 ? [heading(1, 'Large diagrams')] : []
  const above = [...chapter, ...first.above]
  return { body: [...inText, { ...first, above }, ...others], pictures }
}

/** A tall figure leaves its place, and takes with it a heading that would stay alone there. */
function withHeading(
  block: Block,
  before: Block[],
  pictures: Readonly<Record<string, PlacedPicture>>,
): Block {
  if (block.type !== 'figure' || !pictures[block.artifact]?.isTall) return block
  const alone = before.at(-1)?.type === 'heading' ? before.splice(-1) : []
  return { ...block, above: [...alone, ...block.above] }
}

function referring(figures: readonly Figure[]): Block {
  const names = figures.flatMap(({ artifact, alt }, i) => [
    plain(i === 0 ? '' : ', '),
    { type: 'picture', artifact, alt, caption: null } as const,
  ])
  return paragraph(plain('On pages of their own: '), ...names, plain('.'))
}

function* picturesIn(value: unknown): Generator<Picture> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && value.type === 'picture') yield value as Picture
  else for (const inner of Object.values(value)) yield* picturesIn(inner)
}
