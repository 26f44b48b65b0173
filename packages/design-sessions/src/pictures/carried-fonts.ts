import subsetFont from 'subset-font'
import { MONO, SANS, type FontFace, fontBytes, isPlain } from './fonts.ts'

/** Families that Arimo and Cousine stand for, as they are measured. */
const SANS_NAMES = [SANS, 'Arial', 'Helvetica']
const MONO_NAMES = [MONO, 'Courier New', 'Courier']

const NAMES: ReadonlySet<string> = new Set([...SANS_NAMES, ...MONO_NAMES])

interface Face {
  readonly face: FontFace
  readonly names: readonly string[]
  readonly look: string
  /** whether a picture may use it */
  readonly isUsed: (svg: string) => boolean
}

const isBold = (svg: string): boolean => /font-weight\s*[:=]\s*"?\s*(?:bold|[6-9]00)/.test(svg)
const isItalic = (svg: string): boolean => /font-style\s*[:=]\s*"?\s*(?:italic|oblique)/.test(svg)

const FACES: readonly Face[] = [
  { face: 'regular', names: SANS_NAMES, look: '', isUsed: () => true },
  { face: 'bold', names: SANS_NAMES, look: 'font-weight:bold;', isUsed: isBold },
  { face: 'italic', names: SANS_NAMES, look: 'font-style:italic;', isUsed: isItalic },
  { face: 'mono', names: MONO_NAMES, look: '', isUsed: () => true },
  { face: 'monoBold', names: MONO_NAMES, look: 'font-weight:bold;', isUsed: isBold },
]

const FAMILIES = /font-family\s*[:=]\s*(?:"|&quot;|')?\s*([^;"'{}&<>]+)/g

/** Without hints, kerning and other features: texts are measured without these. */
const SUBSET = { targetFormat: 'woff', noHinting: true, keepFeatures: [] } as const

/**
 * A clean SVG that carries the fonts it was measured with, as far as its letters need them, so that
 * text stays in its box on every machine.
 */
export async function withFonts(svg: string): Promise<string> {
  // Of a list the first one is drawn.
  const used = new Set(
    [...svg.matchAll(FAMILIES)].map(([, list]) =>
      list
        .split(',')
        .map((name) => name.trim())
        .find((name) => NAMES.has(name)),
    ),
  )
  const text = textOf(svg)
  if (!Array.from(text).some(isPlain)) return svg
  const rules: string[] = []
  for (const { face, names, look, isUsed } of FACES) {
    const own = names.filter((name) => used.has(name))
    if (own.length === 0 || !isUsed(svg)) continue
    const font = await subsetFont(fontBytes(face), text, SUBSET)
    const source = `url(data:font/woff;base64,${font.toString('base64')})format("woff")`
    rules.push(...own.map((name) => `@font-face{font-family:"${name}";${look}src:${source}}`))
  }
  if (rules.length === 0) return svg
  // Browsers would round the widths of letters to pixels.
  rules.push('text{text-rendering:geometricPrecision}')
  const end = svg.indexOf('>', svg.indexOf('<svg')) + 1
  return `${svg.slice(0, end)}<style>${rules.join('')}</style>${svg.slice(end)}`
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The letters between the tags. */
function textOf(svg: string): string {
  return svg
    .replaceAll(/<style[^]*?<\/style>|<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => SIGNS[name])
}
