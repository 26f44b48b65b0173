/** Game time between the answers that carry it. */

/** The game's clock as an answer has it. */
export interface ClockReading {
  /** Unix milliseconds */
  readonly gameTimeMs: number
  /** game seconds per second; 0 while paused */
  readonly scale: number
}

/** Of a difference to the server's clock, the part that is corrected per second. */
const CORRECTION = 0.5

/** A difference above so many seconds of real time is a jump: a reset or a restored world. */
const JUMP_SECONDS = 5

/** Readings that are kept; the quickest counts. */
const READINGS_MAX = 6

/** Counts game time on, and slews to what the server sends; never backwards but at a jump. */
export class PageClock {
  #shownMs: number | undefined
  #shownAtMs = 0
  #reading: ClockReading | undefined
  #offsets: readonly number[] = []

  get scale(): number {
    return this.#reading?.scale ?? 0
  }

  /**
   * @param atMs  when the answer came, on a clock of the page [ms]
   * @returns true when game time has jumped
   */
  note(reading: ClockReading, atMs: number): boolean {
    const offsetMs = reading.gameTimeMs - reading.scale * atMs
    const goesOn = this.#reading?.scale === reading.scale
    const jump = JUMP_SECONDS * 1000 * Math.max(reading.scale, 1)
    const shown = this.at(atMs)
    const isJump = shown === undefined || Math.abs(reading.gameTimeMs - shown) > jump
    // An answer comes late, never early: of two the one that is further ahead was quicker.
    const kept = goesOn && !isJump ? this.#offsets.slice(1 - READINGS_MAX) : []
    this.#offsets = [...kept, offsetMs]
    this.#reading = reading
    if (isJump) this.#shownMs = undefined
    return isJump && shown !== undefined
  }

  /** Game time [Unix ms] at a time of the page's clock [ms]; undefined before the first answer. */
  at(atMs: number): number | undefined {
    if (!this.#reading) return undefined
    const { scale } = this.#reading
    const due = Math.max(...this.#offsets) + scale * atMs
    if (this.#shownMs === undefined) {
      this.#shownMs = due
    } else {
      const passed = Math.max(atMs - this.#shownAtMs, 0)
      const expected = this.#shownMs + scale * passed
      const corrected = expected + (due - expected) * Math.min((CORRECTION * passed) / 1000, 1)
      this.#shownMs = Math.max(this.#shownMs, corrected)
    }
    this.#shownAtMs = atMs
    return this.#shownMs
  }
}
