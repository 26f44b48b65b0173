// Reads back where the parts of a picture stand.
import { createHTMLWindow } from 'svgdom'
import { installBoxes } from '../../src/rendering/dom-boxes.ts'
import { SANS } from '../../src/rendering/fonts.ts'
// Sets the fonts that are measured.
import '../../src/rendering/mermaid.ts'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A labelled part: where its outline is, and where its words are. */
export interface Part {
  readonly words: string
  readonly outline: Box
  readonly label: Box
}

/** @param outline  the selector of the outline inside of a part; its first match counts */
export function partsOf(svg: string, part: string, outline: string): readonly Part[] {
  // svgdom has no types.
  // oxlint-disable-next-line typescript/no-explicit-any
  const { document }: any = createHTMLWindow()
  installBoxes(document, SANS)
  // Without a size of its own, everything is where its numbers say.
  document.body.innerHTML = svg.replace(
    /<svg[^>]*>/,
    '<svg xmlns="http://www.w3.org/2000/svg" id="diagram">',
  )
  // oxlint-disable-next-line typescript/no-explicit-any
  return [...document.querySelectorAll(part)].map((group: any) => ({
    words: words(group.innerHTML),
    outline: group.querySelector(outline).getBoundingClientRect(),
    label: group.querySelector('text').getBoundingClientRect(),
  }))
}

/** The texts of a picture, without its markup. */
export function words(text: string): string {
  return text
    .replaceAll(/<style[^]*?<\/style>/g, '')
    .replaceAll(/<\/(?:text|tspan)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** @param room  that may stick out on each side */
export function contains(outer: Box, inner: Box, room = 0): boolean {
  return (
    outer.x - room <= inner.x &&
    outer.y - room <= inner.y &&
    inner.x + inner.width <= outer.x + outer.width + room &&
    inner.y + inner.height <= outer.y + outer.height + room
  )
}

export function overlap(a: Box, b: Box): boolean {
  const apart = (from: 'x' | 'y', size: 'width' | 'height'): boolean =>
    a[from] + a[size] <= b[from] || b[from] + b[size] <= a[from]
  return !apart('x', 'width') && !apart('y', 'height')
}
