import { Graphviz } from '@hpcc-js/wasm-graphviz'
import { errorText, plainText } from '../plain-text.ts'
import type { Engine } from './drawing.ts'
import { RenderError, sourceError } from '../render-error.ts'
import { takenForPorts } from './unexpected-names.ts'
import { withStandIns } from '../pictures/wide-signs.ts'

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

/** Traps of its WebAssembly program, whose errors the package wraps. */
const TRAP =
  /out of bounds|signature mismatch|unreachable|null function|terminated with exit|call stack/

/** Renders a DOT source. */
export const graphviz: Engine = async (source, pictures) => {
  const svg = await graphvizSvg(source, pictures.embedded, pictures.notes)
  for (const note of takenForPorts(source)) pictures.notes.add(note)
  return [{ svg, name: 'diagram' }]
}

/**
 * The SVG of a DOT source, whose images refer to pictures.
 *
 * @param notes  receives warnings
 */
export async function graphvizSvg(source: string, size: Size, notes: Set<string>): Promise<string> {
  const { text, restored } = withStandIns(source)
  const opening = OPENING.exec(text)?.[0] ?? ''
  const dot = opening + (opening && FONT) + text.slice(opening.length)
  try {
    const { svg, warning } = await laidOut(dot, imagesOf(source, size))
    if (svg === '') throw new Error('The source holds no graph, such as: digraph { a -> b }')
    if (warning !== '') notes.add(`Graphviz warns of a fault ${plainText(restored(warning))}`)
    return restored(svg)
  } catch (error) {
    const message = errorText(error)
    if (TRAP.test(message)) {
      throw new RenderError('ERR_RENDER_MEMORY', 'Graphviz gave up: the graph is too much for it')
    }
    throw sourceError(plainText(restored(message)))
  }
}

/** Whether the engine has laid out a graph, which may have spoilt its memory. */
let isUsed = false

/** A layout, once more on a new engine where earlier graphs may have spoilt the first. */
async function laidOut(
  dot: string,
  images: ReturnType<typeof imagesOf>,
): Promise<{ readonly svg: string; readonly warning: string }> {
  const engine = await Graphviz.load()
  const wasUsed = isUsed
  isUsed = true
  try {
    return { svg: engine.layout(dot, 'svg', 'dot', { images }), warning: lastError(engine) }
  } catch (error) {
    if (!TRAP.test(errorText(error))) throw error
    Graphviz.unload()
    isUsed = false
    if (!wasUsed) throw error
  }
  return laidOut(dot, images)
}

/** The last line of its warnings; the types hide it. */
function lastError(engine: Graphviz): string {
  const { _module } = engine as unknown as {
    readonly _module: { readonly CGraphviz: { lastError(): string } }
  }
  return _module.CGraphviz.lastError().trim()
}

/** Sizes of images: Graphviz has no files. */
function imagesOf(source: string, size: Size): { path: string; width: string; height: string }[] {
  const names = [...source.matchAll(IMAGES)].map(([, quoted, plain]) => quoted ?? plain)
  return [...new Set(names)].map((path) => {
    const { width, height } = size(path)
    return { path, width: `${width}px`, height: `${height}px` }
  })
}
