import { bodyState } from '../ephemeris/ephemeris.ts'
import { deltaVBetween } from '../guidance/rocket.ts'
import { QUANTA_PER_SECOND } from '../lattice.ts'
import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { FROZEN } from '../state/condition.ts'
import { type PlanEvent, takeEvents } from '../state/events.ts'
import { ACTIVITIES, DOCKED, IDLE } from '../state/activity.ts'
import { shipClassOf } from '../state/class-table.ts'
import { isPowered } from '../ships/hull-row.ts'
import { segmentFraction, segmentFuel } from '../ships/segment.ts'
import { isDocked } from '../ships/docked.ts'
import { slotIn } from './copied-ship.ts'
import { Marks } from './marks.ts'
import { Neighbours } from './neighbours.ts'
import { FlightLegs } from './flight-legs.ts'
import type { Mark, Prediction, PredictionEnd } from './prediction.ts'
import { type Place, Records } from './records.ts'
import { type Stage, stateOf } from './stage.ts'
import type { ForecastTask } from './forecast-task.ts'
import { turnOf } from './turn.ts'

/** The way of one ship on its stage: what is recorded of it, and what is marked. */
export class Track {
  readonly #stage: Stage
  readonly #task: ForecastTask
  readonly #slot: number
  readonly #marks = new Marks()
  readonly #records: Records
  readonly #neighbours: Neighbours
  /** where the ship was last, from body `#body` */
  readonly #before = createStateVector()
  readonly #now = createStateVector()
  #index: number
  #body: number
  /** that it has turned about its bodies [rad] */
  #angle = 0
  /** with which the burn under way began [kg]; 0 while none is */
  #burnMass = 0
  #deltaV = 0
  readonly #flightLegs: FlightLegs
  /** index of the last record, once there are no more */
  #recordedTo: number | undefined

  /** Begins where the ship is. */
  constructor(stage: Stage, task: ForecastTask, until: number) {
    const { ships } = stage.state
    this.#stage = stage
    this.#task = task
    this.#slot = slotIn(stage.state, task.copies[0].slot)
    this.#records = new Records(until - task.index)
    this.#neighbours = new Neighbours(stage, task.target ?? {}, this.#marks)
    this.#flightLegs = new FlightLegs(stage, this.#slot)
    this.#index = task.index
    this.#body = ships.reference[this.#slot]
    stateOf(this.#now, stage, this.#slot, this.#index)
    this.#neighbours.measure(this.#index, this.#body, this.#now)
    this.#keep(this.#index)
    this.#followEngine()
    this.#record(true)
  }

  /** lattice index that it has come to */
  get index(): number {
    return this.#index
  }

  /** Whether an order is under way that will end. */
  isUnderWay(): boolean {
    const activity = this.#stage.state.ships.activity[this.#slot]
    return activity !== IDLE && activity !== DOCKED && activity !== HOLD_STATION
  }

  /** Ends what is recorded: from here on only burns, bodies and what the plan does are noted. */
  endRecords(): void {
    this.#records.end(this.#place())
    this.#recordedTo = this.#index
  }

  /** Moves on to where the ship has been flown to. */
  reach(n: number): void {
    const { ships } = this.#stage.state
    const body = ships.reference[this.#slot]
    stateOf(this.#now, this.#stage, this.#slot, n)
    this.#measure(n, body)
    if (body !== this.#body) this.#changeBody(n, body)
    else this.#pass(n)
    this.#record(this.#followEngine())
    this.#flightLegs.follow(n, this.#deltaV)
    this.#takeEvents()
  }

  /** Moves on to where the ship is inside a body on its open step. */
  crash(n: number): void {
    const { impactBody } = this.#stage.state.ships
    stateOf(this.#now, this.#stage, this.#slot, n)
    this.#measure(n, this.#body)
    this.#pass(n)
    this.#marks.add({ kind: 'impact', index: n, body: this.#nameOf(impactBody[this.#slot]) })
  }

  /** All that was taken up; the last place is recorded. */
  prediction(end: PredictionEnd): Prediction {
    const { system } = this.#stage.state
    this.#endBurn()
    if (this.#recordedTo === undefined) this.endRecords()
    return {
      shipId: this.#task.copies[0].shipId,
      systemId: system.id,
      from: this.#task.index,
      to: this.#recordedTo ?? this.#index,
      end,
      legs: this.#records.legs(system.bodies.map(({ name }) => name)),
      marks: this.#marks.list(),
      marksLeftOut: this.#marks.leftOut,
      deltaV: this.#deltaV,
      fuel: this.#fuel(),
      flightLegs: this.#flightLegs.list(),
    }
  }

  #measure(n: number, body: number): void {
    if (this.#recordedTo === undefined) this.#neighbours.measure(n, body, this.#now)
  }

  /** Passes on the cubic from the last place to `now`. */
  #pass(n: number): void {
    if (this.#recordedTo !== undefined) return this.#keep(n)
    const { bodies } = this.#stage.state.system
    const quanta = n - this.#index
    const docked = isDocked(this.#stage.state.ships, this.#slot)
    const turn = docked ? undefined : turnOf(this.#before, this.#now, quanta, bodies[this.#body])
    if (turn) {
      this.#marks.add({
        kind: turn.isClosest ? 'periapsis' : 'apoapsis',
        index: this.#index + turn.at * quanta,
        body: this.#nameOf(this.#body),
        distance: turn.distance,
      })
    }
    this.#angle += (quanta / QUANTA_PER_SECOND) * pace(this.#now, bodies[this.#body].gm)
    this.#keep(n)
  }

  /** Ends a leg at n and begins another: the same place is recorded from both bodies. */
  #changeBody(n: number, body: number): void {
    bodyState(shift, this.#stage.state.ephemeris, body, this.#body, n, 0)
    add(this.#now, shift)
    this.#pass(n)
    this.#record(true)
    const fromBody = this.#nameOf(this.#body)
    this.#marks.add({ kind: 'sphere', index: n, fromBody, body: this.#nameOf(body) })
    this.#body = body
    stateOf(this.#now, this.#stage, this.#slot, n)
    this.#keep(n)
    this.#record(true)
  }

  #keep(n: number): void {
    this.#before.r.set(this.#now.r)
    this.#before.v.set(this.#now.v)
    this.#index = n
  }

  #record(isFixed: boolean): void {
    if (this.#recordedTo === undefined) this.#records.add(this.#place(), isFixed)
  }

  #place(): Place {
    return { index: this.#index, body: this.#body, ...this.#now, angle: this.#angle }
  }

  /** Marks where a burn begins or ends; returns whether one does. */
  #followEngine(): boolean {
    const isBurning = isPowered(this.#stage.state.ships, this.#slot)
    if (isBurning === this.#burnMass > 0) return false
    if (!isBurning) {
      this.#endBurn()
      return true
    }
    this.#burnMass = shipClassOf(this.#stage.state, this.#slot).dryMass + this.#fuel()
    this.#marks.add({ kind: 'burn_begin', index: this.#index })
    return true
  }

  #endBurn(): void {
    if (this.#burnMass === 0) return
    const ship = shipClassOf(this.#stage.state, this.#slot)
    const deltaV = deltaVBetween(ship, this.#burnMass, ship.dryMass + this.#fuel())
    this.#deltaV += deltaV
    this.#burnMass = 0
    this.#marks.add({ kind: 'burn_end', index: this.#index, deltaV })
  }

  /** Where it was last [kg]. */
  #fuel(): number {
    const { ships } = this.#stage.state
    const isFrozen = ships.condition[this.#slot] === FROZEN
    const passed = isFrozen ? 0 : segmentFraction(ships, this.#slot, this.#index, 0)
    return segmentFuel(ships, this.#slot, passed)
  }

  #takeEvents(): void {
    const { state } = this.#stage
    if (state.eventCount[0] === 0) return
    const [{ number }] = this.#task.copies
    for (const { kind, index, shipNumber, plan } of takeEvents(state).events) {
      if (shipNumber !== number) continue
      if (kind === 'maneuver_completed') this.#flightLegs.end(index, this.#deltaV)
      // Its own marks show impacts and burns.
      if (kind === 'impact' || kind === 'burn_ended' || kind === 'maneuver_sample') continue
      this.#marks.add({
        // No module is foreseen, so none is destroyed.
        kind: kind as Mark['kind'],
        index,
        ...(kind === 'maneuver_phase' && plan && { phase: plan.phase }),
        ...(kind === 'maneuver_failed' && plan && failureOf(plan)),
      })
    }
  }

  #nameOf(body: number): string {
    return this.#stage.state.system.bodies[body].name
  }
}

const HOLD_STATION = ACTIVITIES.indexOf('hold_station')

function failureOf({ reason, needs }: PlanEvent): Partial<Mark> {
  return { reason, ...(needs && { deltaV: needs.deltaV, duration: needs.seconds }) }
}

const shift = createStateVector()

function add(to: StateVector, { r, v }: StateVector): void {
  for (let axis = 0; axis < 3; axis++) {
    to.r[axis] += r[axis]
    to.v[axis] += v[axis]
  }
}

/** How fast a ship turns about a body, or falls towards it [rad/s]. */
function pace({ r, v }: StateVector, gm: number): number {
  const distance2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
  const speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
  return Math.sqrt(Math.max(gm / Math.sqrt(distance2), speed2) / distance2)
}
