import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'
import { MONO, SANS, pictureFontFiles } from './fonts.ts'
import { plainSvg } from './drawable-svg.ts'
import { sourceError } from '../render-error.ts'

/** Pictures are drawn at twice their size, up to this number of pixels. */
const ZOOM = 2
const PIXELS_WANTED_MAX = 16_000_000

/** Larger pictures are made smaller. */
const PIXELS_MAX = 64_000_000

const FONT = {
  loadSystemFonts: false,
  defaultFontFamily: SANS,
  serifFamily: SANS,
  sansSerifFamily: SANS,
  cursiveFamily: SANS,
  fantasyFamily: SANS,
  monospaceFamily: MONO,
} as const

/** The fonts of a picture. */
export function resvgFont(svg: string): NonNullable<ResvgRenderOptions['font']> {
  return { ...FONT, fontFiles: [...pictureFontFiles(svg)] }
}

/** A rendered and sanitised SVG as PNG. */
export async function png(svg: string): Promise<Uint8Array> {
  const plain = plainSvg(svg)
  const { width, height } = new Resvg(plain, { font: { loadSystemFonts: false } })
  const pixels = width * height
  const wanted = Math.min(ZOOM, Math.sqrt(PIXELS_WANTED_MAX / pixels))
  // Letters are readable at 1, if there is room for it; a line has no less than one pixel.
  const zoom = Math.max(pixels <= PIXELS_MAX ? 1 : 1 / Math.min(width, height), wanted)
  if (!(pixels * zoom * zoom <= PIXELS_MAX)) {
    throw sourceError(`The picture has ${Math.round(pixels / 1e6)} million pixels, at most 64`)
  }
  const image = new Resvg(plain, {
    font: resvgFont(plain),
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: zoom },
  }).render()
  return new Uint8Array(image.asPng())
}

/** A sanitised SVG whose texts are outlines of their letters, unchanged if it cannot be drawn. */
export function outlined(svg: string): string {
  const plain = plainSvg(svg)
  try {
    return new Resvg(plain, { font: resvgFont(plain) }).toString()
  } catch {
    return svg
  }
}
