import { QUANTA_PER_SECOND } from '@orrery/sim'
import type { GameClock } from './flight.ts'
import type { Bodies } from '../scene/bodies.ts'
import type { PractisedShip } from './practised-ship.ts'

/** Flown at once at most, as far as the massive bodies reach around it: 1,024 s. */
const PART_QUANTA = 65_536

/** The time of a practice, which runs as its player wants and no further than it was flown. */
export class PracticeClock implements GameClock {
  readonly waitSeconds = 0
  readonly utc: GameClock['utc']
  pace = 1
  stop: number | undefined
  #time: number

  /** @param time  lattice index */
  constructor(time: number, utc: GameClock['utc']) {
    this.#time = time
    this.utc = utc
  }

  get scale(): number {
    return this.pace
  }

  now(): number {
    return this.#time
  }

  serverNow(): number {
    return this.#time
  }

  /** See `Practice.advance`. */
  advance(seconds: number, budgetMs: number, ship: PractisedShip, bodies: Bodies): void {
    const wanted = this.#time + this.pace * seconds * QUANTA_PER_SECOND
    const goal = Math.min(wanted, Math.max(this.stop ?? Infinity, this.#time))
    const endMs = performance.now() + budgetMs
    while (this.#time < goal) {
      const next = Math.min(goal, this.#time + PART_QUANTA)
      if (!bodies.reach(next)) return
      ship.flyTo(Math.floor(next))
      this.#time = next
      if (performance.now() > endMs) break
    }
    if (this.stop === undefined || this.#time < this.stop) return
    this.stop = undefined
    this.pace = 0
  }
}
