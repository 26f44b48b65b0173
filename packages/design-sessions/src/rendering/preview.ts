import * as v from 'valibot'
import type { DiagramEngine } from '../engines/drawing.ts'
import { named } from '../openapi.ts'
import type { NamedFiles } from '../pictures/named-files.ts'
import { plainText } from '../plain-text.ts'
import { RenderError, cancelled } from '../render-error.ts'
import type { Renderer } from './renderer.ts'

/** Time of a preview: somebody waits for it. */
const LIMIT_MS = 15_000

/** A larger picture slows down the page that shows it. */
const SVG_BYTES_MAX = 4 * 1_048_576

/** How messages of engines begin that name a line, with or without a column. */
const LINE = /^(?:line )?(\d+)(?::\d+)?: |\bline (\d+)\b/

/** A source drawn without being stored. */
export const preview = named(
  'Preview',
  v.object({
    /** the first page; null for a faulty source */
    svg: v.nullable(v.string()),
    pages: v.number(),
    /** sentences about what is not drawn */
    notes: v.array(v.string()),
    faults: v.array(
      v.object({
        /** of the source, from 1; null where the engine names none */
        line: v.nullable(v.number()),
        message: v.string(),
      }),
    ),
  }),
)

export type Preview = v.InferOutput<typeof preview>

export interface PreviewRequest {
  readonly versionId: string
  readonly engine: DiagramEngine
  readonly source: string
}

export interface PreviewParts {
  readonly renderer: Pick<Renderer, 'run'>
  readonly namedFiles: NamedFiles
  /** 15 s by default */
  readonly limitMs?: number
}

/**
 * Draws a source for somebody who is writing it. What exceeds the limits is a fault, too.
 *
 * @param signal  ends it when it is not wanted any more
 * @throws {RenderError} `ERR_RENDER_BUSY` or `ERR_RENDER_CLOSED`
 */
export async function previewOf(
  { renderer, namedFiles, limitMs = LIMIT_MS }: PreviewParts,
  { versionId, engine, source }: PreviewRequest,
  signal: AbortSignal,
): Promise<Preview> {
  const late = AbortSignal.timeout(limitMs)
  try {
    const files = await namedFiles.ofVersion(versionId, source)
    const input = { engine, source, files }
    const drawing = await renderer.run('diagram', input, AbortSignal.any([signal, late]))
    const { outputs, notes } = drawing
    const pages = outputs.filter(({ filename }) => filename.endsWith('.svg'))
    const [{ bytes }] = pages
    if (bytes.length > SVG_BYTES_MAX) {
      return faulty('The picture is too large for a preview: save it to draw it.')
    }
    return {
      svg: Buffer.from(bytes).toString(),
      pages: pages.length,
      notes: [...notes],
      faults: [],
    }
  } catch (error) {
    if (signal.aborted) throw cancelled()
    if (late.aborted) {
      return faulty(`The preview takes longer than ${limitMs / 1000} s: save it to draw it.`)
    }
    if (!(error instanceof RenderError)) throw error
    if (error.code === 'ERR_RENDER_BUSY' || error.code === 'ERR_RENDER_CLOSED') throw error
    return faulty(plainText(error.message))
  }
}

function faulty(message: string): Preview {
  return { svg: null, pages: 0, notes: [], faults: faultsOf(message) }
}

/** A message with a fault in each line that names one; other lines continue the fault before. */
function faultsOf(message: string): Preview['faults'] {
  const faults: Preview['faults'] = []
  for (const text of message.split('\n')) {
    const [start, first, other] = LINE.exec(text) ?? []
    const last = faults.at(-1)
    if (start === undefined && last) last.message += `\n${text}`
    else {
      const isPrefix = first !== undefined
      const line = start === undefined ? null : Number(first ?? other)
      faults.push({ line, message: isPrefix ? text.slice(start?.length) : text })
    }
  }
  return faults
}
