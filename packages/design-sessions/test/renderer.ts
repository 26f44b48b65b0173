// One renderer for all test files of a process, with one render process: it loads each engine once.
import type { Drawing, RenderRequest } from '../src/engines/drawing.ts'
import { RenderError } from '../src/render-error.ts'
import { Renderer } from '../src/rendering/renderer.ts'

/** Longer than any test: on a busy machine no render is late. */
export const PATIENT = { timeoutMs: 600_000, niceness: 0 } as const

export type RenderResult =
  | ({ readonly ok: true } & Drawing)
  | { readonly ok: false; readonly error: string }

/** A renderer whose failed diagrams are results. */
export class TestRenderer extends Renderer {
  /** @throws {RenderError} `ERR_RENDER_BUSY` or `ERR_RENDER_CLOSED` */
  async render(request: RenderRequest): Promise<RenderResult> {
    try {
      return { ok: true, ...(await this.run('diagram', request)) }
    } catch (error) {
      if (!(error instanceof RenderError) || /BUSY|CLOSED/.test(error.code)) throw error
      return { ok: false, error: error.message }
    }
  }
}

let shared: TestRenderer | undefined

/** It ends with the test process. */
export function sharedRenderer(): TestRenderer {
  return (shared ??= new TestRenderer({
    ...PATIENT,
    children: 1,
    jobsMax: 500,
    keptBytesMax: 2 ** 40,
    idleMs: PATIENT.timeoutMs,
  }))
}
