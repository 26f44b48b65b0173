import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What every picture is set in: as wide as Arial, and as Courier New, letter by letter. */
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

/** Where a face's TrueType file is. */
export function fontFile(face: FontFace): string {
  return FILES[face]
}

/** Where all are. */
export function fontFiles(): readonly string[] {
  return Object.values(FILES)
}

/** A face's TrueType file itself. */
export function fontBytes(face: FontFace): Buffer {
  return readFileSync(FILES[face])
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
 * An SVG for a renderer that has our font files and knows no fonts embedded in SVG, such as resvg
 * and Typst: D2's embedded faces are replaced by the same ones by name.
 */
export function withPlainFonts(svg: string): string {
  if (!svg.includes('@font-face')) return svg
  return svg
    .replaceAll(/@font-face\s*\{[^}]*\}/g, '')
    .replaceAll(/font-family:\s*"?(d2-[\w-]+-font-[\w-]+)"?/g, (_, name: string) => {
      const [, replacement] = FACES.find(([pattern]) => name.search(pattern) >= 0) ?? ['', SANS]
      return `font-family:${replacement}`
    })
}
