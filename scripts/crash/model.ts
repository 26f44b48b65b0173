/**
 * The state that must be found after a crash. Each observable thing has a set of possible values:
 * one after an acknowledgement, more while a request is in flight or has had no answer. A restore
 * replaces the sets of the world by those of its snapshot.
 */

/** `null` where the thing does not exist. */
export type Value = string | number | boolean | null

/** A value that the server chooses. */
export const ANY = '*'

/** A restore replaces things of the world, not those of the server: accounts and settings. */
export type Scope = 'world' | 'server'

/** The possible values of the world's things while a snapshot was made. */
export type Capture = ReadonlyMap<string, ReadonlySet<Value>>

/** A requested change; exactly one of its three outcomes is reported. */
export interface Attempt {
  /** it is done and durable */
  acknowledged(): void
  /** it is not done and never will be */
  refused(): void
  /** no answer came: it may be done */
  unanswered(): void
}

/** A replacement of the world, or of everything. */
export interface Replacement {
  readonly scope: Scope
  /** values of a thing afterwards; undefined when it does not change */
  readonly after: (key: string, now: ReadonlySet<Value>) => Iterable<Value> | undefined
}

interface Thing {
  readonly scope: Scope
  possible: Set<Value>
  readonly inFlight: Map<Attempt, Value>
  /** values that were requested or settled during a replacement */
  readonly concurrent: Set<Value>
}

export class Model {
  /** count of acknowledged changes */
  acknowledged = 0
  readonly #things = new Map<string, Thing>()
  readonly #origins = new Map<string, Value>()
  readonly #captures = new Set<Map<string, Set<Value>>>()
  /** unanswered requests since the last inspection that may have created a thing, by kind */
  readonly #unanswered = new Map<string, number>()
  #replacement: Replacement | undefined
  /** count of begun and ended replacements, by scope */
  readonly #epochs = { world: 0, server: 0 }

  /** Registers a change before its request; a thing has at most one writer at a time. */
  attempt(scope: Scope, key: string, value: Value): Attempt {
    const thing = this.#thing(scope, key)
    const epoch = this.#epochs[scope]
    const end = (change?: () => void): void => {
      thing.inFlight.delete(attempt)
      change?.()
      this.#note(key, thing)
    }
    const attempt: Attempt = {
      acknowledged: () =>
        end(() => {
          this.acknowledged++
          // After a concurrent replacement the order of the two is not known.
          if (this.#epochs[scope] === epoch) thing.possible = new Set([value])
          else thing.possible.add(value)
        }),
      refused: () => end(),
      unanswered: () => end(() => thing.possible.add(value)),
    }
    thing.inFlight.set(attempt, value)
    if (this.#replacement) thing.concurrent.add(value)
    this.#note(key, thing)
    return attempt
  }

  /** Registers a creation whose key only the answer contains. */
  attemptUnnamed(kind: string): Attempt {
    return {
      acknowledged: () => void this.acknowledged++,
      refused: () => undefined,
      unanswered: () => void this.#unanswered.set(kind, this.#unansweredOf(kind) + 1),
    }
  }

  /** Whether an unanswered request may have created a thing of a kind; one thing each. */
  claimUnnamed(kind: string): boolean {
    const count = this.#unansweredOf(kind)
    this.#unanswered.set(kind, count - 1)
    return count > 0
  }

  /** Everything was observed: later things are not results of earlier requests. */
  endInspection(): void {
    this.#unanswered.clear()
  }

  /** Values that a thing may have; empty for an unknown thing. */
  possible(key: string): ReadonlySet<Value> {
    const thing = this.#things.get(key)
    return new Set(thing && [...thing.possible, ...thing.inFlight.values()])
  }

  /** Whether a value is the only possible one. */
  isCertain(key: string, value: Value): boolean {
    const possible = this.possible(key)
    return possible.size === 1 && possible.has(value)
  }

  /** Keys with a prefix. */
  keys(prefix: string): string[] {
    return [...this.#things.keys()].filter((key) => key.startsWith(prefix))
  }

  /** Sets the only possible value of a thing. */
  settle(scope: Scope, key: string, value: Value): void {
    const thing = this.#thing(scope, key)
    thing.possible = new Set([value])
    if (this.#replacement) thing.concurrent.add(value)
    if (!this.#origins.has(key)) this.#origins.set(key, value)
    this.#note(key, thing)
  }

  /** The first settled value of a thing. */
  origin(key: string): Value {
    return this.#origins.get(key) ?? null
  }

  /** Collects the possible values of the world until the returned function is called. */
  capture(): () => Capture {
    const capture = new Map<string, Set<Value>>()
    for (const [key, thing] of this.#things) {
      if (thing.scope === 'world') capture.set(key, new Set(this.#inEitherWorld(key, thing)))
    }
    this.#captures.add(capture)
    return () => {
      this.#captures.delete(capture)
      return capture
    }
  }

  /** Registers a replacement before its request. */
  beginReplacement(replacement: Replacement): void {
    this.#replacement = replacement
    this.#countEpoch(replacement.scope)
    for (const thing of this.#things.values()) {
      thing.concurrent.clear()
      for (const value of thing.inFlight.values()) thing.concurrent.add(value)
    }
  }

  /** Scope of the replacement whose outcome is not known yet. */
  get replacing(): Scope | undefined {
    return this.#replacement?.scope
  }

  /** Applies the outcome of the replacement. */
  endReplacement(hasActed: boolean): void {
    const replacement = this.#replacement
    if (!replacement) return
    this.#replacement = undefined
    this.#countEpoch(replacement.scope)
    if (!hasActed) return
    for (const [key, thing] of this.#things) {
      thing.possible = this.#after(replacement, key, thing) ?? thing.possible
    }
  }

  /** Possible values after a replacement; undefined when it does not change the thing. */
  #after({ scope, after }: Replacement, key: string, thing: Thing): Set<Value> | undefined {
    if (scope === 'world' && thing.scope === 'server') return undefined
    const values = after(key, this.possible(key))
    return values && new Set([...values, ...thing.concurrent])
  }

  /** Possible values while it is not known whether a replacement has acted. */
  #inEitherWorld(key: string, thing: Thing): Value[] {
    const after = this.#replacement && this.#after(this.#replacement, key, thing)
    return [...this.possible(key), ...(after ?? [])]
  }

  #unansweredOf(kind: string): number {
    return this.#unanswered.get(kind) ?? 0
  }

  #countEpoch(scope: Scope): void {
    this.#epochs.world++
    if (scope === 'server') this.#epochs.server++
  }

  #thing(scope: Scope, key: string): Thing {
    let thing = this.#things.get(key)
    if (!thing) {
      thing = { scope, possible: new Set([null]), inFlight: new Map(), concurrent: new Set() }
      this.#things.set(key, thing)
    }
    return thing
  }

  #note(key: string, thing: Thing): void {
    if (thing.scope !== 'world') return
    for (const capture of this.#captures) {
      const seen = capture.get(key) ?? new Set<Value>([null])
      for (const value of this.#inEitherWorld(key, thing)) seen.add(value)
      capture.set(key, seen)
    }
  }
}
