import type { JobMessage } from './jobs.ts'
import { type ChildLimits, type RenderChild, startChild } from './render-child.ts'

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
  /** makes a process ready */
  readonly warming: JobMessage
}

/** A process between its jobs. */
interface IdleChild {
  readonly child: RenderChild
  /** its engines are loaded, or it has ended */
  isReady: boolean
  readonly ready: Promise<void>
}

export type Taken = Pick<IdleChild, 'child' | 'ready'>

/** How far processes for further jobs of a client stand back behind the others. */
const BEHIND = 5
const NICENESS_MAX = 19

/** Processes between their jobs. */
export class IdleChildren {
  readonly #options: ChildrenOptions
  /** those of further jobs of a client */
  readonly #behind = new WeakSet<RenderChild>()
  #idle: IdleChild[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: ChildrenOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#idle.length
  }

  get isWarming(): boolean {
    return this.#idle.some(({ isReady }) => !isReady)
  }

  /**
   * A process for a job, new where none is left.
   *
   * @param isBehind  it stands back: other jobs of the client run
   * @param kept  processes that stay for other clients
   */
  take(isBehind: boolean, kept: number): Taken {
    this.#idle = this.#idle.filter(({ child }) => child.isAlive)
    // The last one has its engines loaded.
    const alike = this.#idle.findLastIndex(({ child }) => this.#behind.has(child) === isBehind)
    if (alike >= 0) return this.#idle.splice(alike, 1)[0]
    const other = this.#idle.length > kept ? this.#idle.pop() : undefined
    if (other && !isBehind) return other
    // A priority can be lowered in a process, but never be raised again.
    other?.child.kill()
    return this.start(isBehind)
  }

  start(isBehind: boolean): Taken {
    const { niceness } = this.#options
    const lower = Math.min(NICENESS_MAX, niceness + BEHIND)
    const child = startChild({ ...this.#options, niceness: isBehind ? lower : niceness })
    if (isBehind) this.#behind.add(child)
    return { child, ready: Promise.resolve() }
  }

  /** Starts a process that loads its engines. */
  warm(): Promise<void> {
    const child = startChild(this.#options)
    const ready = child.run(this.#options.warming).then(
      () => undefined,
      () => undefined,
    )
    const warming: IdleChild = { child, isReady: false, ready }
    this.#idle.push(warming)
    return ready.then(() => void (warming.isReady = true))
  }

  /** Keeps a process for another job, or ends it. */
  give(child: RenderChild): void {
    const { jobsMax, keptBytesMax, idleMs, isWarm } = this.#options
    const isUsable = child.isAlive && child.jobs < jobsMax
    if (isUsable && child.residentBytes <= keptBytesMax) {
      this.#idle.push({ child, isReady: true, ready: Promise.resolve() })
    } else child.kill()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(isWarm ? 1 : 0), idleMs).unref()
  }

  /** @param kept  processes that go on, those that do not stand back first */
  end(kept = 0): void {
    const rank = ({ child }: IdleChild): number => (this.#behind.has(child) ? 0 : 1)
    this.#idle.sort((a, b) => rank(a) - rank(b))
    for (const { child } of this.#idle.splice(0, this.#idle.length - kept)) child.kill()
  }
}
