import { hash } from 'node:crypto'
import type { RenderRequest } from '../engines/drawing.ts'
import type { PictureFiles } from '../pictures/pictures.ts'
import type { PictureCache } from '../pictures/picture-cache.ts'
import { RenderError } from '../render-error.ts'
import type { Renderer } from '../rendering/renderer.ts'
import { type Fence, type FenceDrawings, engineOf, keyOf } from '../markdown/fence-key.ts'

/** Diagrams of one document. */
const FENCES_MAX = 40

/** Drawing time of one document; the last diagram may exceed it by its own limit [ms]. */
const DRAWING_MS_MAX = 60_000

/** Characters of the pictures of one document. */
const PICTURES_MAX = 8 * 1_048_576

const OPENING = /^([ \t>]*)(`{3,}|~{3,})[ \t]*(\w+)/

/** The diagrams in a Markdown source, in linear time. */
function fencesIn(text: string): readonly Fence[] {
  const lines = text.split(/\r\n?|\n/)
  const found: Fence[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, prefix = '', fence, language = ''] = OPENING.exec(lines[i]) ?? []
    if (fence === undefined) continue
    const body: string[] = []
    const inside = (line: string): string =>
      line.startsWith(prefix) ? line.slice(prefix.length) : line.trimStart()
    while (++i < lines.length && !isClosing(inside(lines[i]), fence)) body.push(inside(lines[i]))
    const engine = engineOf(language)
    if (engine) found.push({ engine, source: body.join('\n') })
  }
  return found
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim()
  return text.startsWith(fence) && text.replaceAll(fence[0], '') === ''
}

export interface FenceTools {
  readonly renderer: Pick<Renderer, 'run'>
  readonly cache: PictureCache
  /** the uploads that a source names */
  readonly filesOf: (source: string) => Promise<PictureFiles>
}

/**
 * Draws the diagrams in Markdown sources, one after the other, so that other jobs run beside them.
 *
 * @throws {RenderError} when the renderer is full or stops
 */
export async function drawnFences(
  { renderer, cache, filesOf }: FenceTools,
  sources: readonly string[],
  signal?: AbortSignal,
): Promise<FenceDrawings> {
  const fences = new Map(sources.flatMap(fencesIn).map((fence) => [keyOf(fence), fence]))
  const pictures: Record<string, string> = {}
  const faults: Record<string, string> = {}
  let room = PICTURES_MAX
  let spent = 0
  for (const [i, [key, fence]] of [...fences].entries()) {
    if (i >= FENCES_MAX) faults[key] = `A document can have ${FENCES_MAX} diagrams at most`
    else if (spent > DRAWING_MS_MAX) faults[key] = 'The diagrams before it took too long'
    else {
      let begun = Infinity
      try {
        const files = await filesOf(fence.source)
        const draw = async (wanted: AbortSignal): Promise<Uint8Array> => {
          const input = async (): Promise<RenderRequest> => {
            begun = performance.now()
            return { ...fence, files }
          }
          const { outputs } = await renderer.run('diagram', input, wanted)
          return outputs[0].bytes
        }
        const svg = Buffer.from(await cache.picture(key + stateOf(files), draw, signal)).toString()
        room -= svg.length
        if (room > 0) pictures[key] = svg
        else faults[key] = 'The pictures of this document are too large'
      } catch (error) {
        faults[key] = reason(error)
      }
      spent += Math.max(0, performance.now() - begun)
    }
  }
  return { pictures, faults }
}

/** Changes with the content of any file; empty without files. */
function stateOf(files: PictureFiles): string {
  return Object.entries(files)
    .map(([name, bytes]) => `\0${name}\0${hash('sha256', bytes)}`)
    .join('')
}

function reason(error: unknown): string {
  if (!(error instanceof RenderError)) throw error
  if (error.code === 'ERR_RENDER_BUSY' || error.code === 'ERR_RENDER_CLOSED') throw error
  return error.message
}
