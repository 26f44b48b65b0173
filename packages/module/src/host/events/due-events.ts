import type { DueEvent } from '@orrery/engine/modules'
import { BEAT_QUANTA } from '@orrery/sim'

const NONE: readonly DueEvent[] = []

/** Events that one module is to react to. */
export class DueEvents {
  readonly #names: ReadonlySet<string>
  #events: DueEvent[] = []

  /** @param names  of the events that it reacts to */
  constructor(names: readonly string[]) {
    this.#names = new Set(names)
  }

  /** Whether there is any that it reacts to. */
  get isAwaited(): boolean {
    return this.#names.size > 0
  }

  get waiting(): readonly DueEvent[] {
    return this.#events
  }

  add(event: DueEvent): void {
    if (this.#names.has(event.name)) this.#events.push(event)
  }

  /** Takes those of a beat, in the order of their indices and ship numbers. */
  take(beat: number): readonly DueEvent[] {
    if (this.#events.length === 0) return NONE
    const taken = this.#events.filter((event) => event.beat <= beat)
    this.#events = this.#events.filter((event) => event.beat > beat)
    const noted = new Set<string>()
    return taken
      .filter(({ index, name, shipNumber }) => {
        // The core notes its own again after a tick that broke.
        const key = `${index} ${shipNumber} ${name}`
        if (noted.has(key)) return false
        if (!name.includes('.')) noted.add(key)
        return true
      })
      .toSorted((a, b) => a.index - b.index || a.shipNumber - b.shipNumber)
  }
}

/** The first full second after an index. */
export function beatAfter(index: number): number {
  return (Math.floor(index / BEAT_QUANTA) + 1) * BEAT_QUANTA
}
