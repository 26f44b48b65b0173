import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Fonts of all pictures: metrically equal to Arial and Courier New. */
export const SANS = 'Arimo'
export const MONO = 'Cousine'

const require = createRequire(import.meta.url)

export type FontFace = 'regular' | 'italic' | 'semibold' | 'bold' | 'mono' | 'monoBold'

const FILES: Readonly<Record<FontFace, string>> = {
  regular: require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
  italic: require.resolve('@expo-google-fonts/arimo/400Regular_Italic/Arimo_400Regular_Italic.ttf'),
  semibold: require.resolve('@expo-google-fonts/arimo/600SemiBold/Arimo_600SemiBold.ttf'),
  bold: require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'),
  mono: require.resolve('@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf'),
  monoBold: require.resolve('@expo-google-fonts/cousine/700Bold/Cousine_700Bold.ttf'),
}

/** Path of a face's TrueType file. */
export function fontFile(face: FontFace): string {
  return FILES[face]
}

const MATHS = filesOf(require.resolve('@expo-google-fonts/noto-sans-math'), 'NotoSansMath', false)

/**
 * Fonts for characters that the faces above lack, the regular face of each first. Emoji precede
 * symbols for a uniform look; Chinese, with wide symbols, follows both.
 */
const FALLBACKS: readonly (readonly string[])[] = [
  filesOf(require.resolve('@expo-google-fonts/noto-emoji'), 'NotoEmoji'),
  filesOf(require.resolve('@expo-google-fonts/noto-sans-symbols-2'), 'NotoSansSymbols2', false),
  filesOf(require.resolve('@expo-google-fonts/noto-sans-arabic'), 'NotoSansArabic'),
  filesOf(require.resolve('@expo-google-fonts/noto-sans-thai'), 'NotoSansThai'),
  filesOf(require.resolve('@expo-google-fonts/noto-sans-devanagari'), 'NotoSansDevanagari'),
  MATHS,
  ['Regular', 'Bold'].map((weight) =>
    join(require.resolve('@embedpdf/fonts-sc'), `../../fonts/NotoSansHans-${weight}.otf`),
  ),
  filesOf(require.resolve('@expo-google-fonts/nanum-gothic'), 'NanumGothic'),
  filesOf(require.resolve('@expo-google-fonts/noto-sans-symbols'), 'NotoSansSymbols'),
]

function filesOf(module: string, name: string, isBoldToo: boolean = true): readonly string[] {
  const weights = isBoldToo ? ['400Regular', '700Bold'] : ['400Regular']
  return weights.map((weight) => join(dirname(module), weight, `${name}_${weight}.ttf`))
}

/** Characters of Arimo and Cousine: Latin, Greek, Cyrillic, Hebrew, punctuation. */
const OURS = /^[\0-\u052f\u0590-\u05ff\u1e00-\u214f\u2190-\u2195]*$/

/** Whether a text needs no fallback fonts. */
export function isPlain(text: string): boolean {
  return OURS.test(text)
}

/** Font files for resvg, which takes the first with a glyph. */
export function pictureFontFiles(text: string): readonly string[] {
  const files = Object.values(FILES)
  return isPlain(text) ? files : [...files, ...FALLBACKS.map(([regular]) => regular)]
}

/**
 * Font files for Typst. It has its own font for mathematics; with ours it would set Arabic letter
 * by letter.
 */
export function documentFontFiles(): readonly string[] {
  return [...Object.values(FILES), ...FALLBACKS.filter((files) => files !== MATHS).flat()]
}

export function fontBytes(face: FontFace): Buffer {
  return readFileSync(FILES[face])
}
