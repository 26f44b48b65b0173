/** What came of an attempt. */
export type Attempt =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** How often, and for how many keys that is remembered. */
export interface SlidingWindowOptions {
  /** Attempts allowed in any span of `windowMs`. */
  readonly limit: number
  readonly windowMs: number
  /** A monotonic clock [ms]. */
  readonly now?: () => number
  /** Keys remembered at once. */
  readonly keysMax?: number
}

// 2 million instants are 16 MB, the most that one window may hold.
const INSTANTS_MAX = 2_000_000
const KEYS_MAX = 100_000

/** Forgotten keys dropped per attempt: more than the one it may add, so that memory shrinks. */
const SWEEP = 2

/** One key: a ring of the instants of its allowed attempts [ms], and its neighbours. */
interface Entry {
  readonly key: string
  readonly instants: Float64Array
  /** Slot of the oldest instant once the ring is full, else of a free one. */
  slot: number
  lastMs: number
  older: Entry | undefined
  newer: Entry | undefined
}

/**
 * At most `limit` attempts per key in *any* span of `windowMs`, exactly. Refused attempts do not
 * count, so the reported time to wait is exact.
 */
export class SlidingWindow {
  readonly #limit: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #keysMax: number
  readonly #entries = new Map<string, Entry>()
  // All entries by their last allowed attempt, so that what is dropped is at one end. A list of
  // its own, because the first key of a Map costs a walk over those deleted before it.
  #oldest: Entry | undefined
  #newest: Entry | undefined

  constructor({ limit, windowMs, now = () => performance.now(), keysMax }: SlidingWindowOptions) {
    if (!Number.isInteger(limit) || limit < 1 || limit > INSTANTS_MAX) {
      throw new RangeError(`Limit ${limit} when expected an integer from 1 to ${INSTANTS_MAX}`)
    }
    this.#limit = limit
    this.#windowMs = windowMs
    this.#now = now
    this.#keysMax = Math.min(keysMax ?? KEYS_MAX, Math.floor(INSTANTS_MAX / limit))
  }

  /** Keys remembered now. */
  get size(): number {
    return this.#entries.size
  }

  /** Whether an attempt for a key would be allowed now; none is counted. */
  look(key: string): Attempt {
    return this.#judged(this.#entries.get(key), this.#now())
  }

  /** Makes an attempt for a key and counts it if it is allowed. */
  attempt(key: string): Attempt {
    const nowMs = this.#now()
    this.#sweep(nowMs)
    const known = this.#entries.get(key)
    const judged = this.#judged(known, nowMs)
    if (!judged.allowed) return judged
    if (known !== undefined) this.#unlink(known)
    // A client that fills this has more addresses than a limit can stop: drop the oldest.
    else if (this.#entries.size >= this.#keysMax) this.#drop(this.#oldest)
    const entry = known ?? this.#newEntry(key)
    entry.instants[entry.slot] = nowMs
    entry.slot = (entry.slot + 1) % this.#limit
    entry.lastMs = nowMs
    this.#append(entry)
    return judged
  }

  /** Makes the last allowed attempt of a key one that was not made. */
  takeBack(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.slot = (entry.slot + this.#limit - 1) % this.#limit
    // What it replaced was older than the window.
    entry.instants[entry.slot] = -Infinity
  }

  #judged(known: Entry | undefined, nowMs: number): Attempt {
    const waitMs = (known?.instants[known.slot] ?? -Infinity) + this.#windowMs - nowMs
    if (waitMs <= 0) return { allowed: true }
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) }
  }

  #newEntry(key: string): Entry {
    const instants = new Float64Array(this.#limit).fill(-Infinity)
    const entry = { key, instants, slot: 0, lastMs: 0, older: undefined, newer: undefined }
    this.#entries.set(key, entry)
    return entry
  }

  #sweep(nowMs: number): void {
    for (let i = 0; i < SWEEP; i++) {
      if (this.#oldest === undefined || this.#oldest.lastMs + this.#windowMs > nowMs) return
      this.#drop(this.#oldest)
    }
  }

  #drop(entry: Entry | undefined): void {
    if (entry === undefined) return
    this.#unlink(entry)
    this.#entries.delete(entry.key)
  }

  #append(entry: Entry): void {
    entry.older = this.#newest
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink(entry: Entry): void {
    const { older, newer } = entry
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    entry.older = undefined
    entry.newer = undefined
  }
}
