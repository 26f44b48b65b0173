// Draws with the font of the pictures, and reads back where the parts of a picture stand.
import { createChance } from '@orrery/testkit'
import { createRequire } from 'node:module'
import { createHTMLWindow } from 'svgdom'
import { installBoxes } from '../src/element-boxes.ts'
import { type Font, wordsBox } from '../src/font.ts'
import type { Box } from '../src/geometry.ts'
import { mermaidSvg } from '../src/index.ts'

const require = createRequire(import.meta.url)

export const font: Font = {
  family: 'Arimo',
  regular: require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'),
}

/** A picture, with the random numbers of a seed. */
export function picture(source: string, seed = 1): Promise<string> {
  const chance = createChance(seed)
  return mermaidSvg(source, { font, random: () => chance.share() })
}

/** A labelled part: where its outline is, and where its words are. */
export interface Part {
  readonly words: string
  readonly outline: Box
  readonly label: Box
}

/** @param outline  the selector of the outline inside of a part; its first match counts */
export function partsOf(svg: string, part: string, outline: string): readonly Part[] {
  // The types of svgdom are ours, and cover what the sources use.
  // oxlint-disable-next-line typescript/no-explicit-any
  const { document }: any = createHTMLWindow()
  installBoxes(wordsBox(font))
  // A root without a size leaves all coordinates as written.
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
