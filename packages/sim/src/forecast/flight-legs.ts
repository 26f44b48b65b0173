import { loadedGuide } from '../chunks/autopilot.ts'
import { type FlightLeg, planOutlook } from '../guidance/programs/outlook.ts'
import { laterLegs } from '../guidance/programs/later-legs.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { DOCKED } from '../state/activity.ts'
import { PLAN } from '../state/plan.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import type { PlannedLeg } from './prediction.ts'
import type { Stage } from './stage.ts'

/**
 * What of a leg that is only reckoned may be wrong, as shares, by what flights of Sol differed: of
 * the present one to a body and to a target far from any, and of later ones.
 */
const PRESENT = { deltaV: 0.1, seconds: 0.1 }
const PRESENT_MEETING = { deltaV: 0.2, seconds: 0.35 }
const LATER = { deltaV: 0.3, seconds: 1.5 }

/** The legs of a ship's last order: as its plan reckons with them at first, and as flown. */
export class FlightLegs {
  readonly #stage: Stage
  readonly #slot: number
  #reckoned: readonly PlannedLeg[] = []
  #flown: PlannedLeg[] = []
  /** the leg under way, and the Δv of all burns before it [m/s] */
  #open: { readonly from: number; readonly to: number; readonly before: number } | undefined
  /** order that these are of, and when its program ran last */
  #since = 0
  #ranAt = 0
  #before = 0
  #hasEnded = false

  constructor(stage: Stage, slot: number) {
    this.#stage = stage
    this.#slot = slot
  }

  /**
   * Looks at the plan at n.
   *
   * @param deltaV  of all burns so far [m/s]
   */
  follow(n: number, deltaV: number): void {
    const { ships } = this.#stage.state
    const at = PLAN_DOUBLES * this.#slot
    const [since, ranAt] = [ships.plan[at + PLAN.since], ships.plan[at + PLAN.ranAt]]
    if (since === 0 || ships.activity[this.#slot] === DOCKED || ranAt === this.#ranAt) return
    this.#ranAt = ranAt
    if (since !== this.#since) this.#begin(since, deltaV)
    const { arrivesAt, deltaV: expected, legs } = planOutlook(ships, this.#slot)
    if (arrivesAt === null || expected === null) return
    const from = ships.reference[this.#slot]
    const known = legs.length > 0 ? legs : [{ from, to: -1, arrivesAt, deltaV: expected }]
    if (this.#reckoned.length === 0) this.#reckoned = this.#expanded(known)
    const [{ from: begin, to }] = known
    if (this.#open?.to === to) return
    this.#close(n, deltaV)
    this.#open = { from: begin, to, before: this.#flown.length > 0 ? deltaV : this.#before }
  }

  /** The maneuver completes at n. */
  end(n: number, deltaV: number): void {
    this.#close(n, deltaV)
    this.#open = undefined
    this.#hasEnded = this.#flown.length > 0
  }

  list(): readonly PlannedLeg[] {
    return this.#hasEnded ? this.#flown : this.#reckoned
  }

  #begin(since: number, deltaV: number): void {
    this.#since = since
    this.#before = deltaV
    this.#reckoned = []
    this.#flown = []
    this.#open = undefined
    this.#hasEnded = false
  }

  #close(n: number, deltaV: number): void {
    if (!this.#open) return
    const { from, to, before } = this.#open
    const leg = { from, to, arrivesAt: n, deltaV: deltaV - before }
    this.#flown.push(this.#named(leg, 0, 0))
  }

  /** What is reckoned as the rest of the way, leg by leg; ends miss by the times before. */
  #expanded([present, later]: readonly FlightLeg[]): PlannedLeg[] {
    const { flight, state } = this.#stage
    const begin = state.ships.stepStart[this.#slot]
    const share = present.to < 0 ? PRESENT_MEETING : PRESENT
    let missed = (share.seconds * (present.arrivesAt - begin)) / QUANTA_PER_SECOND
    const legs = [this.#named(present, share.deltaV, missed)]
    if (!later) return legs
    const [next, ...others] = laterLegs(loadedGuide(flight, this.#slot, begin))
    const rest = (later.arrivesAt - present.arrivesAt) / QUANTA_PER_SECOND
    // Their sum is known better than each: the next one makes up for it.
    const known = {
      ...next,
      deltaV: others.reduce((left, { deltaV }) => left - deltaV, later.deltaV),
      seconds: others.reduce((left, { seconds }) => left - seconds, rest),
    }
    let { arrivesAt } = present
    for (const { seconds, ...leg } of [known, ...others]) {
      arrivesAt += Math.floor(seconds * QUANTA_PER_SECOND)
      missed += LATER.seconds * seconds
      legs.push(this.#named({ ...leg, arrivesAt }, LATER.deltaV, missed))
    }
    return legs
  }

  /**
   * @param share   of the Δv that it may be wrong by
   * @param missed  what the end may be wrong by [s]
   */
  #named(leg: FlightLeg, share: number, missed: number): PlannedLeg {
    const { arrivesAt, deltaV, from, to } = leg
    const { bodies } = this.#stage.state.system
    return {
      fromBody: bodies[from].name,
      ...(to >= 0 && { body: bodies[to].name }),
      arrivesAt,
      deltaV,
      deltaVUncertainty: share * deltaV,
      secondsUncertainty: missed,
    }
  }
}
