import type { ManeuverEvent, OwnShipView } from '@orrery/engine/testing'
import { duration, kilometres, speedText, whereabouts } from './text.ts'

/** What phases that are worth a line look like from outside. */
const PHASES: Readonly<Record<string, string>> = {
  planning: 'works out a way',
  approaching: 'approaches',
  capturing: 'brakes into orbit',
  thrusting: 'flies on low thrust',
  docking: 'eases into the dock',
}

/** Between two refreshes of the progress line [ms]. */
const REFRESH_MS = 200

/** Less is no burn: wheels are unloaded [m/s]. */
const UNLOADING = 0.2

/** The log of a voyage on stdout, and a line on the terminal that shows where the ship is. */
export class Logbook {
  readonly #isTerminal = process.stderr.isTTY
  #shownMs = 0
  #before: OwnShipView | undefined
  /** that the burn under way has used [m/s] */
  #burnt = 0
  #last = ''

  /** @param seconds  since the start */
  say(seconds: number, line: string): void {
    if (this.#isTerminal) process.stderr.write('\r\u001b[K')
    process.stdout.write(`${duration(seconds).padStart(14)}  ${line}\n`)
    this.#last = line
  }

  /** Notes a phase, unless the line before shows it already. */
  note(seconds: number, { eventType, phase }: ManeuverEvent): void {
    const line = phase === null ? undefined : PHASES[phase]
    const isNew = eventType === 'started' || eventType === 'phase_changed'
    if (isNew && line !== undefined && this.#last !== `  ${line}`) this.say(seconds, `  ${line}`)
  }

  /** Follows the ship from tick to tick: where it burns, and whose pull it flies under. */
  follow(seconds: number, ship: OwnShipView): void {
    const before = this.#before ?? ship
    this.#before = ship
    const spent = before.deltaV - ship.deltaV
    // In the tick in which it docks it also takes on fuel.
    const docks = before.dockedAt !== ship.dockedAt
    if (spent > 0 && !docks) this.#burnt += spent
    else this.close(seconds)
    if (before.referenceBody !== ship.referenceBody) {
      const { referenceBody: body, orbit, relativeVelocity } = ship
      const speed = speedText(Math.hypot(...relativeVelocity))
      this.say(
        seconds,
        `  under the pull of ${body}, ${kilometres(orbit.altitude)} above it at ${speed}`,
      )
    }
    this.#showProgress(seconds, ship)
  }

  /** Notes the burn under way, if any. */
  close(seconds: number): void {
    if (this.#burnt > UNLOADING) this.say(seconds, `  burnt ${speedText(this.#burnt)}`)
    this.#burnt = 0
  }

  #showProgress(seconds: number, ship: OwnShipView): void {
    const nowMs = performance.now()
    if (!this.#isTerminal || nowMs - this.#shownMs < REFRESH_MS) return
    this.#shownMs = nowMs
    process.stderr.write(`\r\u001b[K${duration(seconds).padStart(14)}  … ${whereabouts(ship)}`)
  }
}
