import { Graphviz } from '@hpcc-js/wasm-graphviz'
import { errorText, plainText } from '../plain-text.ts'
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

/** Renders a DOT source; there are no files, so images are left out. */
export async function graphviz(source: string): Promise<string> {
  const engine = await Graphviz.load()
  const { text, restored } = withStandIns(source)
  const opening = OPENING.exec(text)?.[0] ?? ''
  try {
    const dot = opening + (opening && FONT) + text.slice(opening.length)
    return restored(engine.layout(dot, 'svg', 'dot'))
  } catch (error) {
    const message = errorText(error)
    // Usually out of memory; the engine is unusable then.
    if (error instanceof WebAssembly.RuntimeError || /terminated with exit/.test(message)) {
      throw new RenderError('ERR_RENDER_MEMORY', 'Graphviz gave up: the graph is too much for it')
    }
    throw sourceError(plainText(restored(message)))
  }
}
