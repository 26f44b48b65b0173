import type { JobKind, Jobs, RenderRequest, RenderedFile } from './jobs.ts'
import { type ChildLimits, type RenderChild, startChild } from './render-child.ts'
import { RenderError } from './render-error.ts'

export interface ChildrenOptions extends ChildLimits {
  readonly children: number
  /** of one process; engines leak memory */
  readonly jobsMax: number
  /** jobs in the queue */
  readonly waitingMax: number
  /** idle processes are ended after this time */
  readonly idleMs: number
}

/** A job's input; a large one is created when the job starts. */
export type Given<Kind extends JobKind> = Jobs[Kind]['input'] | (() => Promise<Jobs[Kind]['input']>)

export type RenderResult =
  | { readonly ok: true; readonly outputs: readonly RenderedFile[] }
  | { readonly ok: false; readonly error: string }

/** Renders in separate processes with limits. */
export interface Renderer {
  /** @throws {RenderError} `ERR_RENDER_BUSY` or `ERR_RENDER_CLOSED`; other errors are results */
  render(request: RenderRequest): Promise<RenderResult>
  /**
   * Runs a job; an aborted signal kills its process.
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

function cancelled(): RenderError {
  return new RenderError('ERR_RENDER_CLOSED', 'Render is not wanted any more')
}

/** Removes cancelled jobs from the queue; a running one is ended by its process. */
function removeCancelled(waiting: Waiting[], signal: AbortSignal | undefined): void {
  for (const job of waiting.filter((one) => one.signal === signal)) {
    waiting.splice(waiting.indexOf(job), 1)
    job.reject(cancelled())
  }
}

/** A pool of processes with one queue in order of arrival. */
function createPool(options: ChildrenOptions): Pick<Renderer, 'run' | 'close'> {
  const waiting: Waiting[] = []
  const idle: RenderChild[] = []
  const busy = new Set<RenderChild>()
  let isClosed = false
  const closed = (): RenderError => new RenderError('ERR_RENDER_CLOSED', 'The service is stopping')
  let idleTimer: NodeJS.Timeout | undefined
  const endIdle = (): void => {
    for (const child of idle.splice(0)) child.kill()
  }

  const runOn = async (
    child: RenderChild,
    { kind, input, signal, resolve, reject }: Waiting,
  ): Promise<void> => {
    busy.add(child)
    try {
      const made: unknown = typeof input === 'function' ? await input() : input
      if (signal?.aborted) throw cancelled()
      resolve(await child.run({ kind, input: made }, signal))
    } catch (error) {
      reject(isClosed ? closed() : error)
    }
    busy.delete(child)
    if (!isClosed && child.isAlive && child.jobs < options.jobsMax) idle.push(child)
    else child.kill()
    clearTimeout(idleTimer)
    idleTimer = setTimeout(endIdle, options.idleMs).unref()
    startNext()
  }
  const startNext = (): void => {
    const job = busy.size < options.children ? waiting.shift() : undefined
    if (!job) return
    const ready = idle.splice(0).filter(({ isAlive }) => isAlive)
    idle.push(...ready.slice(1))
    try {
      void runOn(ready[0] ?? startChild(options), job)
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
      startNext()
      const leave = (): void => removeCancelled(waiting, signal)
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
  // D2 takes about 650 MiB for a common diagram: 512 at most for itself, ELK and Node.
  bytesMax: 1_610_612_736,
  idleMs: 60_000,
}

/** @param options  overrides two processes, 30 s and 1.5 GiB */
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

/** Whether an error is independent of the source. */
function isOurs({ code }: RenderError): boolean {
  return code === 'ERR_RENDER_BUSY' || code === 'ERR_RENDER_CLOSED'
}
