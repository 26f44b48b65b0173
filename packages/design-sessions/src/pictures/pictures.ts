import { collectedIcon, iconSvg, nearestIcon } from '@orrery/diagrams-py'
import { type Embedded, embeddedRaster, pictureSize } from './raster.ts'
import { cleanSvg } from './clean-svg.ts'
import { outlined } from './png.ts'

/** Files that a source may show, by name. */
export type PictureFiles = Readonly<Record<string, Uint8Array>>

/** References of a document, and the uploads that they may name. */
export interface ShownPictures {
  readonly references: readonly string[]
  readonly files: PictureFiles
}

/** Resolves what a drawing refers to. */
export interface Pictures {
  /** A safe picture, a stand-in for what is missing. */
  embedded(this: void, reference: string): Embedded
  /** sentences about what is missing */
  readonly notes: Set<string>
}

/** Characters of a reference in a note. */
const SHOWN_MAX = 100

/** Notes with a hint in one source. */
const HINTS_MAX = 20

/** A name in a collection, or an address of D2's. */
const ICON = /^(?!data:)[\w-]+:[\w-]+$|^https:\/\/icons\.terrastruct\.com\//

const MISSING = 'icon::image-off'

const DATA = /^data:image\/[\w+.-]+((?:;[\w=-]+)*),([^]*)$/

export function createPictures(files: PictureFiles = {}): Pictures {
  const known = new Map<string, Embedded>()
  const notes = new Set<string>()
  const found = (reference: string): Embedded => {
    const data = dataOf(reference)
    if (data) return safe(data, 'A picture in the source')
    const name = pictureName(reference)
    if (Object.hasOwn(files, name)) return safe(files[name], name)
    const svg = iconSvg(reference) ?? iconSvg(collectedIcon(reference) ?? '')
    if (svg !== undefined) return embeddedSvg(svg)
    notes.add(missing(reference, notes.size))
    return embeddedSvg(iconSvg(MISSING) ?? '')
  }
  return {
    notes,
    embedded: (reference) => {
      const picture = known.get(reference) ?? found(reference)
      known.set(reference, picture)
      return picture
    },
  }
}

/** A sentence about a reference to neither an icon nor a picture. */
function missing(reference: string, known: number): string {
  return ICON.test(reference)
    ? unknownIcon(reference.slice(0, SHOWN_MAX), known)
    : missingPicture(reference)
}

/** A sentence about a reference to no picture. */
export function missingPicture(reference: string): string {
  const shown = reference.slice(0, SHOWN_MAX)
  return /^\w+:/.test(reference)
    ? `${shown} is not fetched: upload the picture and use its name`
    : `${shown} is not drawn: this version has no such upload`
}

/** A sentence about the name of an icon that is unknown; the nearest one takes a while to find. */
export function unknownIcon(name: string, known: number): string {
  const nearest = known < HINTS_MAX ? nearestIcon(name) : undefined
  return `The icon ${name} is unknown${nearest === undefined ? '' : `; the nearest is ${nearest}`}`
}

/** The last part of a path: uploads have no directories. */
export function pictureName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** The bytes of a data URI. */
function dataOf(reference: string): Uint8Array | undefined {
  const [, kind = '', data] = DATA.exec(reference) ?? []
  if (data === undefined) return undefined
  const isBase64 = kind.endsWith('base64')
  return Buffer.from(isBase64 ? data : decoded(data), isBase64 ? 'base64' : 'utf8')
}

function decoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    return data
  }
}

/** @throws {RenderError} for other files and for too many pixels, before anything is decoded */
function safe(bytes: Uint8Array, name: string): Embedded {
  const { type } = pictureSize(bytes, name)
  return type === 'svg' ? embeddedSvg(Buffer.from(bytes).toString()) : embeddedRaster(bytes, name)
}

function embeddedSvg(svg: string): Embedded {
  const clean = cleanSvg(svg)
  // Inside of a picture no renderer and no browser finds a font.
  const bytes = Buffer.from(clean.includes('<text') ? outlined(clean) : clean)
  const { width, height } = pictureSize(bytes, 'A picture in SVG')
  return { uri: `data:image/svg+xml;base64,${bytes.toString('base64')}`, width, height }
}

/** Pictures as SVG by their references; references to nothing are left out. */
export async function shownPictures({
  references,
  files,
}: ShownPictures): Promise<Readonly<Record<string, string>>> {
  const pictures = createPictures(files)
  const known = references.filter(
    (reference) => reference.startsWith('data:') || Object.hasOwn(files, pictureName(reference)),
  )
  return Object.fromEntries(
    known.map((reference) => {
      const { width, height } = pictures.embedded(reference)
      const size = `width="${width}" height="${height}"`
      const space = 'xmlns="http://www.w3.org/2000/svg"'
      const drawing = `<svg ${space} ${size}><image href="" ${size}/></svg>`
      return [reference, cleanSvg(drawing, () => pictures.embedded(reference))]
    }),
  )
}
