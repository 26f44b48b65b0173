import type { Drawing, JobKind, Jobs, RenderRequest } from './jobs.ts'
import { type ChildLimits, type RenderChild, startChild } from './render-child.ts'
import { RenderError, cancelled } from './render-error.ts'
import { Turns } from '../turns.ts'

export interface ChildrenOptions extends ChildLimits {
  readonly children: number
  /** of one process; engines leak memory */
  readonly jobsMax: number
  /** jobs in the queue */
  readonly waitingMax: number
  /** idle processes are ended after this time */
  readonly idleMs: number
  /** a process that holds more memory after a job takes no other */
  readonly keptBytesMax: number
  /** one process is always ready to draw */
  readonly isWarm: boolean
}

/** A job's input; a large one is created when the job starts. */
export type Given<Kind extends JobKind> = Jobs[Kind]['input'] | (() => Promise<Jobs[Kind]['input']>)

export type RenderResult =
  | ({ readonly ok: true } & Drawing)
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

const ignored = (): void => undefined

const WARMING: Waiting = {
  kind: 'warm',
  input: null,
  signal: undefined,
  resolve: ignored,
  reject: ignored,
}

/** Processes between their jobs. */
interface IdleChildren {
  /** A process for a job, new where none is left. */
  take(): RenderChild
  /** Keeps a process for another job, or ends it. */
  give(child: RenderChild): void
  end(): void
  readonly count: number
}

function createIdleChildren(options: ChildrenOptions): IdleChildren {
  let idle: RenderChild[] = []
  let timer: NodeJS.Timeout | undefined
  const endAfter = (kept: number): void => {
    for (const child of idle.splice(0, idle.length - kept)) child.kill()
  }
  return {
    take: () => {
      idle = idle.filter(({ isAlive }) => isAlive)
      // The last one has its engines loaded.
      return idle.pop() ?? startChild(options)
    },
    give: (child) => {
      const isUsable = child.isAlive && child.jobs < options.jobsMax
      if (isUsable && child.residentBytes <= options.keptBytesMax) idle.push(child)
      else child.kill()
      clearTimeout(timer)
      timer = setTimeout(endAfter, options.idleMs, options.isWarm ? 1 : 0).unref()
    },
    end: () => endAfter(0),
    get count() {
      return idle.length
    },
  }
}

/** A pool of processes with one queue; a client leaves at least one process to others. */
function createPool(options: ChildrenOptions): Pick<Renderer, 'run' | 'close'> {
  const waiting = new Turns<Waiting>({ ...options, share: Math.max(1, options.children - 1) })
  const idle = createIdleChildren(options)
  const busy = new Set<RenderChild>()
  let isClosed = false
  const closed = (): RenderError => new RenderError('ERR_RENDER_CLOSED', 'The service is stopping')

  const runOn = async (child: RenderChild, job: Waiting, end: () => void): Promise<void> => {
    const { kind, input, signal, resolve, reject } = job
    busy.add(child)
    try {
      const made: unknown = typeof input === 'function' ? await input() : input
      if (signal?.aborted) throw cancelled()
      resolve(await child.run({ kind, input: made }, signal))
    } catch (error) {
      if (!isClosed && child.jobs > 1 && isOfProcess(error)) {
        busy.delete(child)
        child.kill()
        return runOn(startChild(options), job, end)
      }
      reject(isClosed ? closed() : error)
    }
    busy.delete(child)
    end()
    if (isClosed) child.kill()
    else idle.give(child)
    startNext()
    if (kind !== 'warm') warmUp()
  }
  const warmUp = (): void => {
    if (!options.isWarm || isClosed || idle.count + busy.size > 0) return
    void runOn(idle.take(), WARMING, ignored)
  }
  const startNext = (): void => {
    const next = busy.size < options.children ? waiting.take() : undefined
    if (!next) return
    try {
      void runOn(idle.take(), next.job, next.end)
    } catch (error) {
      next.end()
      next.job.reject(error)
    }
  }

  warmUp()
  return {
    run: async <Kind extends JobKind>(kind: Kind, input: Given<Kind>, signal?: AbortSignal) => {
      if (isClosed) throw closed()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const refused = waiting.add({ kind, input, signal, resolve, reject })
      refused?.reject(new RenderError('ERR_RENDER_BUSY', 'Too many renders wait; try again'))
      startNext()
      // A running one is ended by its process.
      const leave = (): void => {
        for (const job of waiting.remove((one) => one.signal === signal)) job.reject(cancelled())
      }
      signal?.addEventListener('abort', leave)
      if (signal?.aborted) leave()
      return (await promise.finally(() =>
        signal?.removeEventListener('abort', leave),
      )) as Jobs[Kind]['output']
    },
    close: async () => {
      isClosed = true
      for (const { reject } of waiting.remove(() => true)) reject(closed())
      for (const child of busy) child.kill()
      idle.end()
    },
  }
}

const OPTIONS: ChildrenOptions = {
  children: 3,
  jobsMax: 50,
  waitingMax: 64,
  timeoutMs: 30_000,
  // D2 takes about 650 MiB for a common diagram: 512 at most for itself, ELK and Node.
  bytesMax: 1_610_612_736,
  niceness: 10,
  idleMs: 60_000,
  keptBytesMax: 805_306_368,
  isWarm: false,
}

/** Whether an error may be due to earlier jobs of a process, and not to the source. */
function isOfProcess(error: unknown): boolean {
  return (
    error instanceof RenderError &&
    (error.code === 'ERR_RENDER_MEMORY' || error.code === 'ERR_RENDER_CRASH')
  )
}

/** @param options  overrides three processes, 30 s and 1.5 GiB */
export function createRenderer(options: Partial<ChildrenOptions> = {}): Renderer {
  const pool = createPool({ ...OPTIONS, ...options })
  return {
    ...pool,
    render: async (request) => {
      try {
        return { ok: true, ...(await pool.run('diagram', request)) }
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
