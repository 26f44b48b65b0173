import { Graphviz } from '@hpcc-js/wasm-graphviz'
import { errorText, plainText } from '../plain-text.ts'
import type { Engine } from './engine.ts'
import { RenderError, sourceError } from './render-error.ts'
import { withStandIns } from './wide-signs.ts'

const GAP = String.raw`(?:\s|//[^\n]*\n|#[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*`
const NAME = String.raw`(?:"(?:[^"\\]|\\[^])*"|[\w.\u0080-\uffff]+)`

/** Matches up to the brace that opens the graph. */
const OPENING = new RegExp(
  String.raw`^${GAP}(?:strict\b${GAP})?(?:di)?graph\b${GAP}(?:${NAME}${GAP})?\{`,
  'i',
)

/** On the same line, so that line numbers in errors stay valid. */
const FONT = ' graph [fontname=Arial]; node [fontname=Arial]; edge [fontname=Arial];'

/** Files that nodes show. */
const IMAGES = /\b(?:image|src)\s*=\s*(?:"([^"\\]+)"|([\w.:-]+))/gi

type Size = (reference: string) => { readonly width: number; readonly height: number }

/** Renders a DOT source. */
export const graphviz: Engine = async (source, pictures) => [
  { svg: await graphvizSvg(source, pictures.embedded), name: 'diagram' },
]

/** The SVG of a DOT source, whose images refer to pictures. */
export async function graphvizSvg(source: string, size: Size): Promise<string> {
  const engine = await Graphviz.load()
  const { text, restored } = withStandIns(source)
  const opening = OPENING.exec(text)?.[0] ?? ''
  try {
    const dot = opening + (opening && FONT) + text.slice(opening.length)
    return restored(engine.layout(dot, 'svg', 'dot', { images: imagesOf(source, size) }))
  } catch (error) {
    const message = errorText(error)
    // Usually out of memory; the engine is unusable then.
    if (error instanceof WebAssembly.RuntimeError || /terminated with exit/.test(message)) {
      throw new RenderError('ERR_RENDER_MEMORY', 'Graphviz gave up: the graph is too much for it')
    }
    throw sourceError(plainText(restored(message)))
  }
}

/** Sizes of images: Graphviz has no files. */
function imagesOf(source: string, size: Size): { path: string; width: string; height: string }[] {
  const names = [...source.matchAll(IMAGES)].map(([, quoted, plain]) => quoted ?? plain)
  return [...new Set(names)].map((path) => {
    const { width, height } = size(path)
    return { path, width: `${width}px`, height: `${height}px` }
  })
}
