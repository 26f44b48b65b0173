import { MONO, SANS, isPlain } from './fonts.ts'

/** What makes one emoji of several signs, or another of one. */
const VARIANTS = /[\ufe0e\ufe0f\u20e3]|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}/gu

/** Letters that make a flag two by two. */
const FLAGS = /\p{Regional_Indicator}/gu
const FLAG_A = 0x1f1e6

/** Text between elements; style sheets are matched first, to be left out. */
const TEXTS = /<style[^]*?<\/style>|>[^<]+/g

/**
 * Up to a text from right to left that is moved down. Only its first letter would be moved, unless
 * a mark of the other direction comes before it.
 */
const LOWERED_HEBREW = /\bdy="[^"]*"[^<>]*>(?:<tspan[^<>]*>)?(?=[^<]*[\u0590-\u08ff])/g

/** A renderer finds letters in other fonts only where each font has as many signs for the text. */
function withPlainSigns(svg: string): string {
  const plain = svg
    .replaceAll(VARIANTS, '')
    .replaceAll(FLAGS, (letter) =>
      String.fromCharCode((letter.codePointAt(0) ?? FLAG_A) - FLAG_A + 0x41),
    )
  // No ligatures, which not all have.
  return plain.replaceAll(TEXTS, (text) =>
    text.startsWith('<') || isPlain(text) ? text : text.replaceAll(/f(?=[fijlt])/g, 'f\u200c'),
  )
}

/** Parts of the names of D2's faces, and what stands for such a face; the first that fits. */
const FACES: readonly (readonly [part: string, replacement: string])[] = [
  ['font-mono-bold', `${MONO};font-weight:bold`],
  ['font-mono', MONO],
  ['font-semibold', `${SANS};font-weight:600`],
  ['font-bold', `${SANS};font-weight:bold`],
  ['font-italic', `${SANS};font-style:italic`],
]

/**
 * An SVG for resvg and Typst, which draw with our font files, know no fonts embedded in SVG, and
 * lose letters of mixed scripts: D2's faces become names, signs made of several become one.
 */
export function plainSvg(svg: string): string {
  const plain = (isPlain(svg) ? svg : withPlainSigns(svg)).replaceAll(LOWERED_HEBREW, '$&\u200e')
  if (!plain.includes('@font-face')) return plain
  return plain
    .replaceAll(/@font-face\s*\{[^{}]*\}/g, '')
    .replaceAll(/font-family:\s*("?)(d2-[\w-]+-font-[\w-]+)\1/g, (_, __, name: string) => {
      const [, replacement] = FACES.find(([part]) => name.includes(part)) ?? ['', SANS]
      return `font-family:${replacement}`
    })
}
