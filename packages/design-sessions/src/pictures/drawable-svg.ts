import { MONO, SANS, isPlain } from './fonts.ts'

/** Modifiers that combine or change emoji. */
const VARIANTS = /[\ufe0e\ufe0f\u20e3]|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}/gu

/** Pairs of these letters are flags. */
const FLAGS = /\p{Regional_Indicator}/gu
const FLAG_A = 0x1f1e6

/** Text between elements; style sheets match first, to be left out. */
const TEXTS = /<style[^]*?<\/style>|>[^<]+/g

/**
 * Matches up to lowered right-to-left text. Only its first letter would be lowered, unless a mark
 * of the other direction precedes it.
 */
const LOWERED_HEBREW = /\bdy="[^"]*"[^<>]*>(?:<tspan[^<>]*>)?(?=[^<]*[\u0590-\u08ff])/g

/** Fallback fonts work only when each font maps the text to as many glyphs. */
function withPlainSigns(svg: string): string {
  const plain = svg
    .replaceAll(VARIANTS, '')
    .replaceAll(FLAGS, (letter) =>
      String.fromCharCode((letter.codePointAt(0) ?? FLAG_A) - FLAG_A + 0x41),
    )
  // Some fonts lack these ligatures.
  return plain.replaceAll(TEXTS, (text) =>
    text.startsWith('<') || isPlain(text) ? text : text.replaceAll(/f(?=[fijlt])/g, 'f\u200c'),
  )
}

/** Parts of D2's font names and their replacements; the first match counts. */
const FACES: readonly (readonly [part: string, replacement: string])[] = [
  ['font-mono-bold', `${MONO};font-weight:bold`],
  ['font-mono', MONO],
  ['font-semibold', `${SANS};font-weight:600`],
  ['font-bold', `${SANS};font-weight:bold`],
  ['font-italic', `${SANS};font-style:italic`],
]

/**
 * Prepares an SVG for resvg and Typst, which ignore embedded fonts and lose letters of mixed
 * scripts: replaces D2's font names and combined signs.
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
