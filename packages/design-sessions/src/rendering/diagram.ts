import { SOURCE_BYTES_MAX } from '../records/fields.ts'
import type { DiagramEngine, RenderedFile, Runner } from './jobs.ts'
import { png } from './png.ts'
import { sourceError } from './render-error.ts'
import { cleanSvg } from './svg.ts'

/** The untrusted output of an engine. */
interface Picture {
  readonly svg: string
  /** file name without extension; `diagram` by default */
  readonly name?: string
}

const ENGINES: Readonly<
  Record<DiagramEngine, () => Promise<(source: string) => Promise<string | Picture>>>
> = {
  d2: async () => (await import('./d2.ts')).d2,
  graphviz: async () => (await import('./graphviz.ts')).graphviz,
  mermaid: async () => (await import('./mermaid.ts')).mermaid,
  diagrams_py: async () => (await import('./diagrams-py.ts')).diagramsPy,
}

const OUTPUT_BYTES_MAX = 20 * 1_048_576

/** Renders a diagram; `diagrams_py` returns SVG and PNG, as the contract requires. */
export const diagram: Runner<'diagram'> = async ({ engine, source, format = 'svg' }) => {
  if (Buffer.byteLength(source) > SOURCE_BYTES_MAX) {
    throw sourceError(`The source has more than ${SOURCE_BYTES_MAX} bytes`)
  }
  const draw = await ENGINES[engine]()
  const drawn = await draw(source)
  const { svg, name = 'diagram' } = typeof drawn === 'string' ? { svg: drawn } : drawn
  if (svg.length > OUTPUT_BYTES_MAX) throw tooLarge()
  const clean = cleanSvg(svg)
  const files: RenderedFile[] = []
  if (format === 'svg') {
    const bytes = new Uint8Array(Buffer.from(clean))
    files.push({ filename: `${name}.svg`, contentType: 'image/svg+xml', bytes })
  }
  if (format === 'png' || engine === 'diagrams_py') {
    files.push({ filename: `${name}.png`, contentType: 'image/png', bytes: await png(clean) })
  }
  if (files.some(({ bytes }) => bytes.length > OUTPUT_BYTES_MAX)) throw tooLarge()
  return files
}

function tooLarge(): Error {
  return sourceError(`The picture has more than ${OUTPUT_BYTES_MAX / 1_048_576} MiB`)
}
