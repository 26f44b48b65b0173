import type { JobKind, Jobs } from './jobs.ts'
import { type ChildrenOptions, IdleChildren, type Taken } from './idle-children.ts'
import type { RenderChild } from './render-child.ts'
import { RenderError, cancelled } from '../render-error.ts'
import { type Turn, Turns } from '../turns.ts'

/** A job's input; a large one is created when the job starts. */
export type Given<Kind extends JobKind> = Jobs[Kind]['input'] | (() => Promise<Jobs[Kind]['input']>)

interface Waiting {
  readonly kind: JobKind
  readonly input: unknown
  readonly signal: AbortSignal | undefined
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
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
  warming: { kind: 'warm', input: null },
}

/**
 * Renders in separate processes with limits, and with one queue: a client leaves at least one
 * process, ready to draw, to others.
 */
export class Renderer {
  readonly #options: ChildrenOptions
  readonly #waiting: Turns<Waiting>
  readonly #idle: IdleChildren
  readonly #busy = new Set<RenderChild>()
  #isClosed = false

  /** @param options  overrides three processes, 30 s and 1.5 GiB */
  constructor(options: Partial<ChildrenOptions> = {}) {
    const all = { ...OPTIONS, ...options }
    this.#options = all
    this.#waiting = new Turns({ ...all, share: Math.max(1, all.children - 1) })
    this.#idle = new IdleChildren(all)
    this.#startNext()
  }

  /**
   * Runs a job; an aborted signal kills its process.
   *
   * @throws {RenderError}
   */
  async run<Kind extends JobKind>(
    kind: Kind,
    input: Given<Kind>,
    signal?: AbortSignal,
  ): Promise<Jobs[Kind]['output']> {
    if (this.#isClosed) throw closed()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const refused = this.#waiting.add({ kind, input, signal, resolve, reject })
    refused?.reject(new RenderError('ERR_RENDER_BUSY', 'Too many renders wait; try again'))
    this.#startNext()
    // A running one is ended by its process.
    const leave = (): void => {
      const left = this.#waiting.remove((one) => one.signal === signal)
      for (const job of left) job.reject(cancelled())
    }
    signal?.addEventListener('abort', leave)
    if (signal?.aborted) leave()
    const output = await promise.finally(() => signal?.removeEventListener('abort', leave))
    return output as Jobs[Kind]['output']
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.remove(() => true)) reject(closed())
    for (const child of this.#busy) child.kill()
    this.#idle.end()
  }

  #startNext(): void {
    const { children, isWarm } = this.#options
    const hasRoom = (): boolean => this.#busy.size + this.#idle.count < children
    while (this.#busy.size < children) {
      // A further job of a client waits until others have a process.
      const next = this.#waiting.take(this.#idle.isWarming ? 1 : undefined)
      if (!next) break
      const isBehind = isWarm && next.isFurther
      void this.#runNext(next, isBehind, isBehind && hasRoom() ? 1 : 0)
    }
    if (!isWarm || this.#isClosed || this.#idle.count > 0 || !hasRoom()) return
    void this.#idle.warm().then(() => this.#startNext())
  }

  async #runNext({ job, end }: Turn<Waiting>, isBehind: boolean, kept: number): Promise<void> {
    try {
      job.resolve(await this.#runOn(this.#idle.take(isBehind, kept), job, isBehind))
    } catch (error) {
      job.reject(this.#isClosed ? closed() : error)
    }
    end()
    this.#startNext()
  }

  /** Runs a job on a process, and on a new one where earlier jobs may have broken the first. */
  async #runOn({ child, ready }: Taken, job: Waiting, isBehind: boolean): Promise<unknown> {
    const { kind, input, signal } = job
    this.#busy.add(child)
    try {
      await ready
      const made: unknown = typeof input === 'function' ? await input() : input
      if (signal?.aborted) throw cancelled()
      return await child.run({ kind, input: made }, signal)
    } catch (error) {
      if (this.#isClosed || child.jobs <= 1 || !isOfProcess(error)) throw error
      child.kill()
    } finally {
      this.#busy.delete(child)
      if (this.#isClosed) child.kill()
      else this.#idle.give(child)
    }
    return this.#runOn(this.#idle.start(isBehind), job, isBehind)
  }
}

function closed(): RenderError {
  return new RenderError('ERR_RENDER_CLOSED', 'The service is stopping')
}

/** Whether an error may be due to earlier jobs of a process, and not to the source. */
function isOfProcess(error: unknown): boolean {
  return (
    error instanceof RenderError &&
    (error.code === 'ERR_RENDER_MEMORY' || error.code === 'ERR_RENDER_CRASH')
  )
}
