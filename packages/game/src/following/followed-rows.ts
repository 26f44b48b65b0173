import type { JournalKey } from '@orrery/store'
import type { StreamMessage, StreamedRow, Watermark } from '../streaming/stream-message.ts'

/** Rows that wait to be flown, at most; what comes behind them is read from the journal. */
const WAITING_MAX = 20_000

/** What the owner of a system has published and is not flown yet. */
export class FollowedRows {
  readonly #key: JournalKey
  /** of the last command that waits, was taken out, or is flown */
  #last: number
  #fence = 0
  #waiting: StreamedRow[] = []
  #mark: Watermark | undefined
  #isLost = false

  constructor(key: JournalKey, flown: number) {
    this.#key = key
    this.#last = flown
  }

  /** Something is missing, or of a later era: the journal has it. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** the last one, of the highest fence that was seen */
  get mark(): Watermark | undefined {
    return this.#mark
  }

  take(message: StreamMessage): void {
    const { era, fence } = message
    // A former owner does not know what its successor journals.
    if (fence < this.#fence) return
    if (fence > this.#fence) this.#mark = undefined
    this.#fence = fence
    if (era > this.#key.era) this.lose()
    if (era !== this.#key.era) return
    if (message.kind === 'rows') this.#add(message.rows)
    else if (message.index >= (this.#mark?.index ?? 0)) this.#mark = message
  }

  lose(): void {
    this.#isLost = true
  }

  /** The watermark, where all commands that it speaks of have come. */
  wholeMark(): Watermark | undefined {
    if (!this.#mark || this.#mark.sequence <= this.#last) return this.#mark
    this.lose()
    return undefined
  }

  /** Takes out the rows that come next, without those that act after an index at once. */
  rowsUntil(index: number): readonly StreamedRow[] {
    const isLater = (row: StreamedRow): boolean => row.index > index && !waits(row)
    const end = this.#waiting.findIndex(isLater)
    return this.#waiting.splice(0, end < 0 ? Infinity : end)
  }

  /** The journal was read, and flown up to a sequence. */
  found(flown: number): void {
    this.#isLost = false
    this.#last = Math.max(this.#last, flown)
    this.#waiting = this.#waiting.filter(({ sequence }) => sequence > flown)
  }

  #add(rows: readonly StreamedRow[]): void {
    for (const row of rows.filter(({ sequence }) => sequence > this.#last)) {
      if (row.sequence > this.#last + 1 || this.#waiting.length >= WAITING_MAX) return this.lose()
      this.#waiting.push(row)
      this.#last = row.sequence
    }
  }
}

/** Whether a command waits for its index instead of being flown to. */
export function waits({ command }: Pick<StreamedRow, 'command'>): boolean {
  const { kind } = Object(command)
  return kind === 'control' || kind === 'freeze_ship'
}
