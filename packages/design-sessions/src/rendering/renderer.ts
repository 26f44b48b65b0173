import type { JobKind, Jobs, RenderRequest, RenderedFile } from './jobs.ts'
import { type ChildLimits, type RenderChild, startChild } from './render-child.ts'
import { RenderError } from './render-error.ts'

/** Bounds of the children together. */
export interface ChildrenOptions extends ChildLimits {
  /** processes at once */
  readonly children: number
  /** jobs of one child; engines leak */
  readonly jobsMax: number
  /** jobs that wait */
  readonly waitingMax: number
  /** an idle child is ended after this time */
  readonly idleMs: number
}

/** What a job is given; a large input is made only when its turn comes. */
export type Given<Kind extends JobKind> = Jobs[Kind]['input'] | (() => Promise<Jobs[Kind]['input']>)

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

interface Waiting {
  readonly kind: JobKind
  readonly input: unknown
  readonly signal: AbortSignal | undefined
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

function unwanted(): RenderError {
  return new RenderError('ERR_RENDER_CLOSED', 'Render is not wanted any more')
}

/** Refuses jobs that wait and are not wanted any more; one that runs is its child's to end. */
function dismiss(waiting: Waiting[], signal: AbortSignal | undefined): void {
  for (const job of waiting.filter((one) => one.signal === signal)) {
    waiting.splice(waiting.indexOf(job), 1)
    job.reject(unwanted())
  }
}

/** Children that share one queue: first come, first served. */
function createPool(options: ChildrenOptions): Pick<Renderer, 'run' | 'close'> {
  const waiting: Waiting[] = []
  const idle: RenderChild[] = []
  const busy = new Set<RenderChild>()
  let isClosed = false
  const closed = (): RenderError => new RenderError('ERR_RENDER_CLOSED', 'The service is stopping')
  let sweep: NodeJS.Timeout | undefined
  const endIdle = (): void => {
    for (const child of idle.splice(0)) child.kill()
  }

  const attend = async (
    child: RenderChild,
    { kind, input, signal, resolve, reject }: Waiting,
  ): Promise<void> => {
    busy.add(child)
    try {
      const made: unknown = typeof input === 'function' ? await input() : input
      if (signal?.aborted) throw unwanted()
      resolve(await child.run({ kind, input: made }, signal))
    } catch (error) {
      reject(isClosed ? closed() : error)
    }
    busy.delete(child)
    if (!isClosed && child.isAlive && child.jobs < options.jobsMax) idle.push(child)
    else child.kill()
    clearTimeout(sweep)
    sweep = setTimeout(endIdle, options.idleMs).unref()
    next()
  }
  const next = (): void => {
    const job = busy.size < options.children ? waiting.shift() : undefined
    if (!job) return
    const ready = idle.splice(0).filter(({ isAlive }) => isAlive)
    idle.push(...ready.slice(1))
    try {
      void attend(ready[0] ?? startChild(options), job)
    } catch (error) {
      job.reject(error)
    }
  }

  return {
    run: async <Kind extends JobKind>(kind: Kind, input: Given<Kind>, signal?: AbortSignal) => {
      if (isClosed) throw closed()
      if (waiting.length >= options.waitingMax) {
        throw new RenderError('ERR_RENDER_BUSY', 'Too many renders wait; try again')
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.push({ kind, input, signal, resolve, reject })
      next()
      const leave = (): void => dismiss(waiting, signal)
      signal?.addEventListener('abort', leave)
      if (signal?.aborted) leave()
      return (await promise.finally(() =>
        signal?.removeEventListener('abort', leave),
      )) as Jobs[Kind]['output']
    },
    close: async () => {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(closed())
      for (const child of busy) child.kill()
      endIdle()
    },
  }
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
  const pool = createPool({ ...OPTIONS, ...options })
  return {
    ...pool,
    render: async (request) => {
      try {
        return { ok: true, outputs: await pool.run('diagram', request) }
      } catch (error) {
        if (!(error instanceof RenderError) || isOurs(error)) throw error
        return { ok: false, error: error.message }
      }
    },
  }
}

/** Whether nothing is known of the source by this error. */
function isOurs({ code }: RenderError): boolean {
  return code === 'ERR_RENDER_BUSY' || code === 'ERR_RENDER_CLOSED'
}
