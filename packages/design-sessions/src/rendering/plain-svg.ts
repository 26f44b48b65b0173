import { MONO, SANS, isPlain } from './fonts.ts'

/** What makes one emoji of several signs, or another of one. */
const VARIANTS = /[\ufe0e\ufe0f\u20e3]|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}/gu

/** Letters that make a flag two by two. */
const FLAGS = /\p{Regional_Indicator}/gu
const FLAG_A = 0x1f1e6

/** Text between elements, and style sheets, which are none. */
const TEXTS = /<style[^]*?<\/style>|>[^<]+/g

/** Up to a text from right to left: what moves its first letter would not move those left of it. */
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

const FACES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?:[\w-]+-)?font-mono-bold/g, `${MONO};font-weight:bold`],
  [/(?:[\w-]+-)?font-mono(?:-italic)?/g, MONO],
  [/(?:[\w-]+-)?font-semibold/g, `${SANS};font-weight:600`],
  [/(?:[\w-]+-)?font-bold/g, `${SANS};font-weight:bold`],
  [/(?:[\w-]+-)?font-italic/g, `${SANS};font-style:italic`],
  [/(?:[\w-]+-)?font-regular/g, SANS],
]

/**
 * An SVG for resvg and Typst, which draw with our font files, know no fonts embedded in SVG, and
 * lose letters of mixed scripts: D2's faces become names, signs made of several become one.
 */
export function plainSvg(svg: string): string {
  const plain = (isPlain(svg) ? svg : withPlainSigns(svg)).replaceAll(LOWERED_HEBREW, '$&\u200e')
  if (!plain.includes('@font-face')) return plain
  return plain
    .replaceAll(/@font-face\s*\{[^}]*\}/g, '')
    .replaceAll(/font-family:\s*"?(d2-[\w-]+-font-[\w-]+)"?/g, (_, name: string) => {
      const [, replacement] = FACES.find(([pattern]) => name.search(pattern) >= 0) ?? ['', SANS]
      return `font-family:${replacement}`
    })
}
