import { busy } from '../errors.ts'

/** Renders at a time, one per render process, and those of one client. */
const SLOTS = 3
const SHARE = 2

/** Queued artifacts of one client, and of all. */
const CLIENT_WAITING_MAX = 500
const WAITING_MAX = 2500

/** Bytes of a source that move a request back by as much as one more request. */
const BYTES_PER_TURN = 1024

/** An artifact that is to be rendered. */
export interface NewRender {
  readonly artifactId: string
  /** the address that asked */
  readonly client: string
  /** of the source */
  readonly bytes: number
  /** equal for renders of the same source and contents */
  readonly subject: string
}

/** An artifact that waits, or is being rendered. */
export interface QueuedRender extends NewRender {
  /** the lowest is next */
  readonly turn: number
  /** ends it when it is no longer wanted */
  readonly unwanted: AbortController
  /** its outcome is being stored: what is asked for now, it is too late for */
  isStored: boolean
  readonly ended: PromiseWithResolvers<void>
}

/**
 * The order of renders: clients take turns, small sources come first.
 *
 * @source Golestani 1994, A self-clocked fair queueing scheme for broadband applications
 */
export class RenderLine {
  /** by artifact, the oldest first */
  readonly #wanted = new Map<string, QueuedRender>()
  readonly #running = new Set<QueuedRender>()
  /** the highest of those that have begun */
  #turn = 0
  /** wait for another attempt */
  readonly #paused = new Set<QueuedRender>()

  get running(): ReadonlySet<QueuedRender> {
    return this.#running
  }

  /** The render of an artifact that is waited for. */
  wanted(artifactId: string): QueuedRender | undefined {
    return this.#wanted.get(artifactId)
  }

  /**
   * Adds a render. A waiting one of the artifact keeps its place; one that runs is ended if its
   * subject differs.
   *
   * @throws {HttpError} 503 when too many wait
   */
  add(render: NewRender): void {
    const { artifactId, client, bytes, subject } = render
    const present = this.#wanted.get(artifactId)
    if (present && this.#running.has(present)) {
      if (present.subject === subject && !present.isStored) return
      present.unwanted.abort()
    } else if (present) return
    const others = [...this.#wanted.values()].filter((one) => one !== present)
    const own = others.filter((one) => one.client === client)
    if (own.length >= CLIENT_WAITING_MAX || others.length >= WAITING_MAX) {
      throw busy('Too many renders wait; try again', 10)
    }
    // Behind what the client has queued, and what has begun last.
    const before = Math.max(this.#turn, ...own.map((one) => one.turn))
    const turn = before + 1 + bytes / BYTES_PER_TURN
    const ended = Promise.withResolvers<void>()
    this.#wanted.delete(artifactId)
    const unwanted = new AbortController()
    this.#wanted.set(artifactId, { ...render, turn, ended, unwanted, isStored: false })
  }

  /** The next render, which then runs; undefined when none may. */
  take(): QueuedRender | undefined {
    if (this.#running.size >= SLOTS) return undefined
    const busy = Map.groupBy(this.#running, ({ client }) => client)
    const [next] = [...this.#wanted.values()]
      .filter((one) => !this.#running.has(one) && !this.#paused.has(one))
      .filter(({ client }) => (busy.get(client)?.length ?? 0) < SHARE)
      .toSorted((a, b) => a.turn - b.turn)
    if (!next) return undefined
    this.#running.add(next)
    this.#turn = Math.max(this.#turn, next.turn)
    return next
  }

  /** Whether no other render has replaced one. */
  isWanted(render: QueuedRender): boolean {
    return this.#wanted.get(render.artifactId) === render
  }

  /** Begins to store a render unless another has replaced it; later requests do not join it. */
  store(render: QueuedRender): boolean {
    render.isStored = this.isWanted(render)
    return render.isStored
  }

  /** Lets a running render wait for `release`. */
  pause(render: QueuedRender): void {
    render.isStored = false
    this.#running.delete(render)
    this.#paused.add(render)
  }

  release(render: QueuedRender): void {
    this.#paused.delete(render)
  }

  /** Removes a running render. */
  end(render: QueuedRender): void {
    this.#running.delete(render)
    if (this.isWanted(render)) this.#wanted.delete(render.artifactId)
    render.ended.resolve()
  }
}
