import { config } from 'svgdom'
import { dirname, relative } from 'node:path'
import { readable } from './character-codes.ts'
import type { Box } from './geometry.ts'
import { looseElement, svgdomBox } from './svgdom-box.ts'

/** A font family, and the TrueType files of two of its faces. */
export interface Font {
  readonly family: string
  readonly regular: string
  readonly bold: string
  /** what letters that the font lacks take beyond the width of its missing glyph [em] */
  readonly extraWidth?: (words: string) => number
}

/** What decides how much room words take. */
export interface TextStyle {
  /** [px] */
  readonly size: number
  readonly isBold: boolean
  readonly anchor: string
  readonly baseline: string
}

/** What holds where neither an attribute nor a style sheet sets anything. */
export const INITIAL_STYLE: TextStyle = {
  size: 16,
  isBold: false,
  anchor: 'start',
  baseline: 'auto',
}

/** The box of words in one style, set at the origin. */
export type WordsBox = (words: string, style: TextStyle) => Box

const probe = looseElement('text')

/** Measures words in a font. */
export function wordsBox({ family, regular, bold, extraWidth = () => 0 }: Font): WordsBox {
  const directory = dirname(regular)
  const boldFamily = `${family} bold`
  config.setFontDir(`${directory}/`).setFontFamilyMappings({
    [family]: relative(directory, regular),
    [boldFamily]: relative(directory, bold),
  })
  return (words, { size, isBold, baseline }) => {
    const drawn = readable(words)
    probe.textContent = drawn
    probe.setAttribute('font-family', isBold ? boldFamily : family)
    probe.setAttribute('font-size', String(size))
    probe.setAttribute('dominant-baseline', baseline)
    const box = svgdomBox(probe)
    return { ...box, width: box.width + extraWidth(drawn) * size }
  }
}
