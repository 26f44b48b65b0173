/**
 * What must be true after a crash. For each thing that can be looked at there is the set of values
 * it may have: one after an acknowledgement; more while something is under way, or when its answer
 * never came. A restore puts the set of its snapshot in the place of what the world holds.
 */

/** `null` where there is no such thing. */
export type Value = string | number | boolean | null

/** For a value that whoever asks does not choose, and does not know before the answer. */
export const ANY = '*'

/** Things of the world, which a restore puts back, or not: accounts and settings. */
export type Realm = 'world' | 'house'

/** The sets of things in the world at some moment while a snapshot was made. */
export type Capture = ReadonlyMap<string, ReadonlySet<Value>>

/** A change that was asked for; exactly one of its ends is to be told. */
export interface Attempt {
  /** it has acted, and is durable */
  acknowledged(): void
  /** it has not acted and never will */
  refused(): void
  /** no answer came: it may have acted */
  unanswered(): void
}

/** What replaces the world, or all there is. */
export interface Replacement {
  readonly realm: Realm
  /** what a thing is afterwards; undefined when it stays as it is */
  readonly after: (key: string, now: ReadonlySet<Value>) => Iterable<Value> | undefined
}

interface Thing {
  readonly realm: Realm
  possible: Set<Value>
  readonly underWay: Map<Attempt, Value>
  /** values that were asked for while a replacement was under way */
  readonly beside: Set<Value>
}

export class Ledger {
  /** changes that were acknowledged, each of which must have lasted */
  acknowledged = 0
  readonly #things = new Map<string, Thing>()
  readonly #origins = new Map<string, Value>()
  readonly #captures = new Set<Map<string, Set<Value>>>()
  /** requests since the last look that may have made a thing of a kind, without an answer */
  readonly #unanswered = new Map<string, number>()
  #replacement: Replacement | undefined
  /** counts replacements, begun and ended, by what they touch */
  readonly #epochs = { world: 0, house: 0 }

  /** Something is about to be asked for; one thing is changed by one asker at a time. */
  attempt(realm: Realm, key: string, value: Value): Attempt {
    const thing = this.#thing(realm, key)
    const epoch = this.#epochs[realm]
    const end = (change?: () => void): void => {
      thing.underWay.delete(attempt)
      change?.()
      this.#note(key, thing)
    }
    const attempt: Attempt = {
      acknowledged: () =>
        end(() => {
          this.acknowledged++
          // Which of the two was first is not known when the world was replaced meanwhile.
          if (this.#epochs[realm] === epoch) thing.possible = new Set([value])
          else thing.possible.add(value)
        }),
      refused: () => end(),
      unanswered: () => end(() => thing.possible.add(value)),
    }
    thing.underWay.set(attempt, value)
    if (this.#replacement) thing.beside.add(value)
    this.#note(key, thing)
    return attempt
  }

  /** Something is about to be made whose key only the answer tells. */
  attemptUnnamed(kind: string): Attempt {
    return {
      acknowledged: () => void this.acknowledged++,
      refused: () => undefined,
      unanswered: () => void this.#unanswered.set(kind, this.#unansweredOf(kind) + 1),
    }
  }

  /** Whether an unanswered request may have made a thing of a kind; each may have made one. */
  claimUnnamed(kind: string): boolean {
    const count = this.#unansweredOf(kind)
    this.#unanswered.set(kind, count - 1)
    return count > 0
  }

  /** All has been looked at: what unanswered requests have made is known. */
  endLook(): void {
    this.#unanswered.clear()
  }

  /** Values a thing may have now; nothing for one that was never asked for. */
  possible(key: string): ReadonlySet<Value> {
    const thing = this.#things.get(key)
    return new Set(thing && [...thing.possible, ...thing.underWay.values()])
  }

  /** Whether a thing is known to have just one value. */
  isCertain(key: string, value: Value): boolean {
    const possible = this.possible(key)
    return possible.size === 1 && possible.has(value)
  }

  /** Names of all things whose keys begin so. */
  keys(prefix: string): string[] {
    return [...this.#things.keys()].filter((key) => key.startsWith(prefix))
  }

  /** What has been looked at, or is known: from now on the thing is that. */
  settle(realm: Realm, key: string, value: Value): void {
    const thing = this.#thing(realm, key)
    thing.possible = new Set([value])
    if (!this.#origins.has(key)) this.#origins.set(key, value)
    this.#note(key, thing)
  }

  /** What a thing was when it was first settled. */
  origin(key: string): Value {
    return this.#origins.get(key) ?? null
  }

  /** Gathers what the world may be, from now until what is returned is called. */
  capture(): () => Capture {
    const capture = new Map<string, Set<Value>>()
    for (const [key, thing] of this.#things) {
      if (thing.realm === 'world') capture.set(key, new Set(this.possible(key)))
    }
    this.#captures.add(capture)
    return () => {
      this.#captures.delete(capture)
      return capture
    }
  }

  /** A replacement is about to be asked for. */
  beginReplacement(replacement: Replacement): void {
    this.#replacement = replacement
    this.#countEpoch(replacement.realm)
    for (const thing of this.#things.values()) {
      thing.beside.clear()
      for (const value of thing.underWay.values()) thing.beside.add(value)
    }
  }

  /** What is being replaced, while the outcome is not known. */
  get replacing(): Realm | undefined {
    return this.#replacement?.realm
  }

  /** Its outcome is known. */
  endReplacement(hasActed: boolean): void {
    const replacement = this.#replacement
    if (!replacement) return
    this.#replacement = undefined
    this.#countEpoch(replacement.realm)
    if (!hasActed) return
    for (const [key, thing] of this.#things) {
      if (replacement.realm === 'world' && thing.realm === 'house') continue
      const after = replacement.after(key, this.possible(key))
      if (after) thing.possible = new Set([...after, ...thing.beside])
    }
  }

  #unansweredOf(kind: string): number {
    return this.#unanswered.get(kind) ?? 0
  }

  #countEpoch(realm: Realm): void {
    this.#epochs.world++
    if (realm === 'house') this.#epochs.house++
  }

  #thing(realm: Realm, key: string): Thing {
    let thing = this.#things.get(key)
    if (!thing) {
      thing = { realm, possible: new Set([null]), underWay: new Map(), beside: new Set() }
      this.#things.set(key, thing)
    }
    return thing
  }

  #note(key: string, { realm }: Thing): void {
    if (realm !== 'world') return
    for (const capture of this.#captures) {
      const seen = capture.get(key) ?? new Set<Value>([null])
      for (const value of this.possible(key)) seen.add(value)
      capture.set(key, seen)
    }
  }
}
