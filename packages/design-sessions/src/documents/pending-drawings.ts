import type postgres from 'postgres'
import type { RenderRequest } from '../engines/drawing.ts'
import type { NamedFiles } from '../pictures/named-files.ts'
import type { Artifact } from '../records/artifacts.ts'
import { RenderError } from '../render-error.ts'
import { type Outcome, storeDrawing } from '../rendering/render-requests.ts'
import type { Renderer } from '../rendering/renderer.ts'

/** Time for the diagrams of one document; the last one may exceed it by its own limit [ms]. */
const DRAWING_MS_MAX = 60_000

export interface DrawingTools {
  readonly sql: postgres.Sql
  readonly renderer: Pick<Renderer, 'run'>
  readonly namedFiles?: NamedFiles
}

/**
 * Draws and stores diagrams that are not drawn in their present state, such as those of a clone,
 * one after the other. Those that have failed would fail again.
 *
 * @param ids  of artifacts of the version
 * @throws {RenderError} when the renderer is full or stops
 */
export async function drawPending(
  { sql, renderer, namedFiles }: DrawingTools,
  versionId: string,
  ids: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<void> {
  const pending = await sql<Artifact[]>`
    select * from artifact where version_id = ${versionId} and id = any(${[...ids]}::uuid[])
      and artifact_type = 'diagram' and engine not in ('markdown', 'weasyprint')
      and source_code ~ '\\S' and render_status <> 'error'
      and (render_status <> 'success' or outputs_stale)
    order by sort_order, name, id`
  const end = performance.now() + DRAWING_MS_MAX
  for (const artifact of pending) {
    if (performance.now() > end) return
    const { engine, source_code: source } = artifact
    const input = async (): Promise<RenderRequest> => ({
      engine: engine as RenderRequest['engine'],
      source: source ?? '',
      files: (await namedFiles?.ofVersion(versionId, source ?? '')) ?? {},
    })
    const outcome = await renderer.run('diagram', input, signal).catch(failure)
    await storeDrawing(sql, artifact, outcome)
  }
}

function failure(error: unknown): Outcome {
  if (!(error instanceof RenderError) || /BUSY|CLOSED/.test(error.code)) throw error
  return { error: error.message }
}
