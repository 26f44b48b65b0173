import { SOURCE_BYTES_MAX } from '../tables/fields.ts'
import type { DiagramEngine, Drawing, RenderRequest, RenderedFile, Engine } from './drawing.ts'
import { withFonts } from '../pictures/carried-fonts.ts'
import { createPictures } from '../pictures/pictures.ts'
import { png } from '../pictures/png.ts'
import { sourceError } from '../render-error.ts'
import { cleanSvg } from '../pictures/clean-svg.ts'

const ENGINES: Readonly<Record<DiagramEngine, () => Promise<Engine>>> = {
  d2: async () => (await import('./d2.ts')).d2,
  graphviz: async () => (await import('./graphviz.ts')).graphviz,
  mermaid: async () => (await import('./mermaid.ts')).mermaid,
  diagrams_py: async () => (await import('./python.ts')).python,
}

const OUTPUT_BYTES_MAX = 20 * 1_048_576

/** Renders a diagram; `diagrams_py` returns SVG and PNG, as the contract requires. */
export async function diagram({
  engine,
  source,
  format = 'svg',
  files = {},
}: RenderRequest): Promise<Drawing> {
  if (Buffer.byteLength(source) > SOURCE_BYTES_MAX) {
    throw sourceError(`The source has more than ${SOURCE_BYTES_MAX} bytes`)
  }
  const draw = await ENGINES[engine]()
  const pictures = createPictures(files)
  const pages = await draw(source, pictures)
  const outputs: RenderedFile[] = []
  let bytesLeft = OUTPUT_BYTES_MAX
  const add = (filename: string, contentType: string, bytes: Uint8Array): void => {
    bytesLeft -= bytes.length
    if (bytesLeft < 0) throw tooLarge()
    outputs.push({ filename, contentType, bytes })
  }
  for (const [i, { svg, name: wanted }] of pages.entries()) {
    const isTaken = pages.slice(0, i).some(({ name }) => name === wanted)
    const name = isTaken ? `${wanted}-${i + 1}` : wanted
    if (svg.length > OUTPUT_BYTES_MAX) throw tooLarge()
    const clean = cleanSvg(svg, pictures.embedded)
    if (format === 'svg') {
      add(`${name}.svg`, 'image/svg+xml', new Uint8Array(Buffer.from(await withFonts(clean))))
    }
    if (format === 'png' || engine === 'diagrams_py')
      add(`${name}.png`, 'image/png', await png(clean))
  }
  return { outputs, notes: [...pictures.notes] }
}

function tooLarge(): Error {
  return sourceError(`The picture has more than ${OUTPUT_BYTES_MAX / 1_048_576} MiB`)
}
