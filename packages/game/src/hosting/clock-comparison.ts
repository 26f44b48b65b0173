import type { WallClock } from '@orrery/engine'
import type { ClockState, HostClock } from '@orrery/store'

/** A clock that is off by more is worth a warning, one that is off by more is wrong [ms]. */
const OFF_MS = 50
const WRONG_MS = 500

/** Share of these limits at which a clock is back, so that none comes and goes at a limit. */
const BACK = 0.8

/** Of the last ones, the reading that took least counts: at five a second they are of a second. */
const READINGS = 5

/** One look at the other clock. */
interface Reading {
  /** of the own clock [ms] */
  readonly offsetMs: number
  /** the real offset differs by no more [ms] */
  readonly errorMs: number
}

/** Compares the clock of this machine with another one that it asks for the time. */
export class ClockComparison {
  readonly #clock: Pick<WallClock, 'monotonicMs' | 'utcMs'>
  #readings: readonly Reading[] = []
  #state: ClockState = 'right'

  constructor(clock: Pick<WallClock, 'monotonicMs' | 'utcMs'>) {
    this.#clock = clock
  }

  /**
   * Begins to ask.
   *
   * @returns what takes the answer, in Unix milliseconds
   */
  ask(): (utcMs: number) => void {
    const clock = this.#clock
    const [askedMs, askedUtcMs] = [clock.monotonicMs(), clock.utcMs()]
    return (utcMs) => {
      const [tripMs, ownMs] = [clock.monotonicMs() - askedMs, clock.utcMs()]
      // A clock that was set meanwhile shows another time than passed.
      const setMs = Math.abs(ownMs - askedUtcMs - tripMs)
      this.#add({ offsetMs: ownMs - tripMs / 2 - utcMs, errorMs: tripMs / 2 + setMs })
    }
  }

  seen(): HostClock {
    const best = this.#best()
    return { clockOffset: best ? best.offsetMs / 1000 : null, clockState: this.#state }
  }

  #add(reading: Reading): void {
    this.#readings = [...this.#readings, reading].slice(-READINGS)
    const { offsetMs, errorMs } = this.#best() ?? reading
    const size = Math.abs(offsetMs)
    const isBeyond = (limitMs: number, isSo: boolean): boolean => {
      if (size - errorMs > limitMs) return true
      return isSo && size + errorMs >= BACK * limitMs
    }
    if (isBeyond(WRONG_MS, this.#state === 'wrong')) this.#state = 'wrong'
    else this.#state = isBeyond(OFF_MS, this.#state !== 'right') ? 'off' : 'right'
  }

  #best(): Reading | undefined {
    return this.#readings.toSorted((a, b) => a.errorMs - b.errorMs).at(0)
  }
}
