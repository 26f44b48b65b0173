import type { JobKind, Jobs } from './jobs.ts'
import { type ChildrenOptions, type Given, createChildren } from './render-children.ts'
import { RenderError } from './render-error.ts'
import type { RenderRequest, RenderedFile } from './render-request.ts'

export type RenderResult =
  | { readonly ok: true; readonly outputs: readonly RenderedFile[] }
  | { readonly ok: false; readonly error: string }

/** Renders in children of their own, capped and killable. */
export interface Renderer {
  /** @throws {RenderError} `ERR_RENDER_BUSY` or `ERR_RENDER_CLOSED`; all else is a result */
  render(request: RenderRequest): Promise<RenderResult>
  /**
   * Any job of a child; one whose signal is given is broken off by killing the child.
   *
   * @throws {RenderError}
   */
  run<Kind extends JobKind>(
    kind: Kind,
    input: Given<Kind>,
    signal?: AbortSignal,
  ): Promise<Jobs[Kind]['output']>
  close(): Promise<void>
}

const OPTIONS: ChildrenOptions = {
  children: 2,
  jobsMax: 50,
  waitingMax: 64,
  timeoutMs: 30_000,
  // D2 takes about 650 MiB for a common diagram: its own 512 at most, ELK, and Node.
  bytesMax: 1_610_612_736,
  idleMs: 60_000,
}

/** @param options  bounds other than two children, 30 s and 1.5 GiB */
export function createRenderer(options: Partial<ChildrenOptions> = {}): Renderer {
  const children = createChildren({ ...OPTIONS, ...options })
  return {
    render: async (request) => {
      try {
        return { ok: true, outputs: await children.run('diagram', request) }
      } catch (error) {
        if (!(error instanceof RenderError) || isOurs(error)) throw error
        return { ok: false, error: error.message }
      }
    },
    run: (kind, input, signal) => children.run(kind, input, signal),
    close: async () => children.close(),
  }
}

/** Whether nothing is known of the source by this error. */
function isOurs({ code }: RenderError): boolean {
  return code === 'ERR_RENDER_BUSY' || code === 'ERR_RENDER_CLOSED'
}
