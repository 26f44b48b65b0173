import type { Bus } from '@orrery/bus'
import type { WallClock } from '@orrery/engine'
import type { Clock, NewJournalBatch, Ownership } from '@orrery/store'
import type { Moment } from '../journal/backlog.ts'
import { presentClock } from '../world/present-clock.ts'
import { type Watermark, encodeStreamMessage, rowSubject } from './stream-message.ts'

/** Watermarks of a system that wait for a commit, at most. */
const WAITING_MAX = 256

export interface RowStreamOptions {
  readonly bus: Pick<Bus, 'publish'>
  readonly owner: Ownership
  readonly era: () => number
  readonly moment: () => Moment
  readonly clock: Pick<WallClock, 'monotonicMs'>
}

/** What an owner says of its systems as they become durable, to those that follow them. */
export interface RowStream {
  /** a batch is durable */
  written(batch: NewJournalBatch): void
  /** a tick was published */
  ticked(): void
}

export function createRowStream(options: RowStreamOptions): RowStream {
  return new PublishedRows(options)
}

class PublishedRows implements RowStream {
  readonly #options: RowStreamOptions
  /** of the last command of each system up to which all are durable */
  readonly #durable = new Map<string, number>()
  readonly #waiting = new Map<string, Watermark[]>()
  /** the last durable one */
  #clock: (Clock & { readonly writtenMs: number }) | undefined
  #era = NaN

  constructor(options: RowStreamOptions) {
    this.#options = options
  }

  written({ era, rows, sequences, clock: durable }: NewJournalBatch): void {
    this.#follow(era)
    const { bus, clock } = this.#options
    this.#clock = { ...durable, writtenMs: clock.monotonicMs() }
    for (const [systemId, sequence] of Object.entries(sequences)) {
      const fence = this.#fence(systemId)
      const own = rows.filter((row) => row.systemId === systemId)
      if (own.length > 0) {
        const message = {
          kind: 'rows',
          era,
          fence,
          rows: own.map(({ sequence: at, lattice, command }) => {
            return { sequence: at, index: lattice, command }
          }),
        } as const
        bus.publish(rowSubject(systemId, fence), encodeStreamMessage(message))
      }
      this.#durable.set(systemId, sequence)
      this.#release(systemId)
    }
  }

  ticked(): void {
    const { era, moment } = this.#options
    this.#follow(era())
    const { sequences, ...time } = moment()
    for (const [systemId, sequence] of Object.entries(sequences)) {
      const fence = this.#fence(systemId)
      const mark = { kind: 'mark', era: era(), fence, sequence, ...time } as const
      const waiting = this.#waiting.get(systemId) ?? []
      // The next ones will do as well as the oldest.
      this.#waiting.set(systemId, [...waiting, mark].slice(-WAITING_MAX))
      this.#release(systemId)
    }
  }

  /** Publishes the newest watermark of which all commands are durable, and the rate of time. */
  #release(systemId: string): void {
    const durable = this.#durable.get(systemId) ?? -Infinity
    const waiting = this.#waiting.get(systemId) ?? []
    const reach = this.#reach()
    const place = waiting.findLastIndex(
      ({ index, sequence }) => sequence <= durable && index <= reach,
    )
    if (place < 0) return
    const [mark] = waiting.splice(0, place + 1).slice(-1)
    this.#options.bus.publish(rowSubject(systemId, mark.fence), encodeStreamMessage(mark))
  }

  /** Where the next owner would go on at least, if this one ended now. */
  #reach(): number {
    if (!this.#clock) return -Infinity
    const { writtenMs, ...clock } = this.#clock
    const ageMs = this.#options.clock.monotonicMs() - writtenMs
    return presentClock(clock, ageMs / 1000).lattice
  }

  /** In another era sequences begin again. */
  #follow(era: number): void {
    if (era === this.#era) return
    this.#era = era
    this.#clock = undefined
    this.#durable.clear()
    this.#waiting.clear()
  }

  #fence(systemId: string): number {
    return this.#options.owner.claims().get(systemId)?.fence ?? 0
  }
}
