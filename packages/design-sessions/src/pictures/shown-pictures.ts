import { type ShownPictures, createPictures, pictureName } from './pictures.ts'
import { cleanSvg } from './clean-svg.ts'

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
