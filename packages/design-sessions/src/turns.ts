import { clientNow } from './client.ts'

/** Bounds of a line. */
export interface TurnsOptions {
  readonly waitingMax: number
  /** jobs of one client that run at a time */
  readonly share: number
}

/** A job that runs; its end gives its client the place back. */
export interface Turn<Job> {
  readonly job: Job
  /** whether others of its client run */
  readonly isFurther: boolean
  readonly end: () => void
}

/** Jobs that wait: clients take turns, and one has only a share of what runs. */
export class Turns<Job> {
  readonly #options: TurnsOptions
  /** by client, the one whose turn it is first; none is empty */
  readonly #waiting = new Map<string, Job[]>()
  readonly #running = new Map<string, number>()
  #length = 0

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /**
   * Adds a job of the present client.
   *
   * @returns the job that has no place: this one, or the last of a client with more
   */
  add(job: Job): Job | undefined {
    const client = clientNow()
    const own = this.#waiting.get(client) ?? []
    let refused: Job | undefined
    if (this.#length >= this.#options.waitingMax) {
      const [most] = [...this.#waiting.values()].toSorted((a, b) => b.length - a.length)
      if (most === undefined || most.length <= own.length + 1) return job
      refused = most.pop()
      this.#length--
    }
    own.push(job)
    this.#waiting.set(client, own)
    this.#length++
    return refused
  }

  /**
   * The next job that may run; undefined without one.
   *
   * @param share  at present
   */
  take(share: number = this.#options.share): Turn<Job> | undefined {
    for (const [client, jobs] of this.#waiting) {
      const running = this.#running.get(client) ?? 0
      if (running >= share) continue
      const [job, ...others] = jobs
      // Behind the others, until its turn comes again.
      this.#waiting.delete(client)
      if (others.length > 0) this.#waiting.set(client, others)
      this.#length--
      this.#running.set(client, running + 1)
      return { job, isFurther: running > 0, end: () => this.#end(client) }
    }
    return undefined
  }

  /** Removes waiting jobs. */
  remove(isUnwanted: (job: Job) => boolean): Job[] {
    const removed: Job[] = []
    for (const [client, jobs] of this.#waiting) {
      const { kept = [], gone = [] } = Object.groupBy(jobs, (job) =>
        isUnwanted(job) ? 'gone' : 'kept',
      )
      removed.push(...gone)
      if (kept.length === 0) this.#waiting.delete(client)
      else this.#waiting.set(client, kept)
    }
    this.#length -= removed.length
    return removed
  }

  #end(client: string): void {
    const left = (this.#running.get(client) ?? 1) - 1
    if (left === 0) this.#running.delete(client)
    else this.#running.set(client, left)
  }
}
