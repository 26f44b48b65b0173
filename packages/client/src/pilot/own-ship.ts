import type { OwnModule, SentRows } from './flown-modules.ts'
import {
  CONTROL_QUANTA,
  FROZEN,
  ORDERS_UNDOCK,
  type Row,
  type StateVector,
  bodyRate,
  bodyState,
  boundaryAtOrAfter,
  createStateVector,
  isDocked,
  segmentAttitude,
  segmentFraction,
  segmentFuel,
  segmentState,
  shipClassOf,
  stateOf,
  thrustLimitOf,
  wheelSaturation,
} from '@orrery/sim'
import type { Seed } from './seed-reading.ts'
import { type ModulePlace, ModuleStage } from './module-stage.ts'
import type { ShipStage } from './ship-stage.ts'
import type { ShipSample } from '../scene/world.ts'

/** What one's own ship flies among. */
export interface OwnPlace extends ModulePlace {
  /** whether the massive bodies are known around a time; makes them known where that can be */
  reach(time: number): boolean
}

/** An order of one's own ship. */
export interface OwnOrder {
  readonly order: Row
  /** lattice index at which it acts, as far as is known */
  index: number
  /** whether the server has named the index */
  isSettled: boolean
}

/** What a check of the server shows. */
export type Verdict =
  | 'matched'
  | 'differs'
  /** it cannot be compared yet */
  | 'early'
  /** it is of before what is known to be right */
  | 'late'

/** Quanta that are flown at once at most; what has been asleep for longer needs a new seed. */
const CATCH_UP_QUANTA = 65_536

/**
 * One's own ship, flown ahead of the server from its last state that is known to be right, the
 * root, by the orders since.
 */
export class OwnShip {
  readonly #place: OwnPlace
  #root: ModuleStage
  #live: ModuleStage
  /** by rising index */
  #orders: OwnOrder[] = []
  /** lattice index up to which what modules keep is the server's */
  #settledAt = -Infinity

  constructor(place: OwnPlace, seed: Seed) {
    this.#place = place
    this.#root = new ModuleStage(place, seed.ship)
    this.#live = new ModuleStage(place, seed.ship)
    this.#enter(seed)
  }

  /** Lattice index that it has been flown to. */
  get index(): number {
    return this.#live.index
  }

  /** Lattice index up to which it is known to be right. */
  get rootIndex(): number {
    return this.#root.index
  }

  /** Whether it takes no other order than to undock, or will by the time of the next one. */
  get isDocked(): boolean {
    const { slot, stage } = this.#live
    const undocks = this.#orders.some(({ order, index }) => {
      return index > this.#live.index && order['orderFields'][0] === ORDERS_UNDOCK
    })
    return isDocked(stage.state.ships, slot) && !undocks
  }

  /** The ship where it has been flown to, with the orders that wait. */
  seed(): Seed {
    const { index } = this.#live
    const waiting = this.#orders.filter((own) => own.index > index)
    const orders = waiting.map((own, sequence) => ({
      index: own.index,
      sequence,
      order: own.order,
    }))
    return { index, ship: { ...this.#live.copied(), orders } }
  }

  /** What modules keep of it where it has been flown to, by id. */
  get modules(): Readonly<Record<string, OwnModule>> {
    const { rows } = this.#live
    const modules = rows?.ids.map((id): [string, OwnModule] => {
      const isSettled = rows.claimedAt(id) <= this.#settledAt
      return [id, { values: rows.valuesOf(id), isSettled }]
    })
    return Object.fromEntries(modules ?? [])
  }

  /** Writes its state; false when it is too far from where it has been flown to. */
  stateAt(out: ShipSample, time: number): boolean {
    const n = Math.floor(time)
    if (!(n - this.#live.index <= CATCH_UP_QUANTA && this.#place.reach(time))) return false
    if (n > this.#live.index) this.#live.flyTo(n, this.#orders)
    // The clock has leapt back.
    else if (n < this.#stepStart && n >= this.#root.index) this.#flyAnew(n)
    return readStage(out, this.#live, time)
  }

  /**
   * Lets an order act at an index, or with the last one when that is later.
   *
   * @param index  a control boundary
   */
  order(order: Row, index: number): OwnOrder {
    const last = this.#orders.at(-1)?.index ?? 0
    const first = boundaryAtOrAfter(this.#root.index + 1, CONTROL_QUANTA)
    const own = { order, index: Math.max(index, last, first), isSettled: false }
    this.#orders.push(own)
    const { slot, stage } = this.#live
    if (own.index > this.#live.index) return own
    // Where its open step begins before, the step is cut there and no other is made again.
    const isCut = stage.state.ships.stepStart[slot] < own.index && this.#live.beat <= own.index
    if (isCut) this.#live.obey([own], this.#live.index)
    else this.#flyAnew(this.#live.index)
    return own
  }

  /**
   * Takes the index that the server has given an order, or undefined if it refuses it. Returns by
   * how much that moves the ship where it is now [m].
   */
  settle(own: OwnOrder, index: number | undefined): number {
    own.isSettled = true
    return this.move(own, index)
  }

  /** Lets an order act at another index, or not at all; returns as `settle` does. */
  move(own: OwnOrder, index: number | undefined): number {
    if (index === own.index) return 0
    const first = Math.min(own.index, index ?? Infinity)
    const at = this.#orders.indexOf(own)
    // Orders of a ship never overtake each other.
    const later = index === undefined ? [] : this.#orders.slice(at + 1)
    for (const other of later) other.index = Math.max(other.index, index!)
    own.index = index ?? 0
    this.#orders = this.#orders
      .filter((other) => other.index > this.#root.index || !other.isSettled)
      .toSorted((a, b) => a.index - b.index)
    if (first > this.#live.index) return 0
    return this.#corrected(() => this.#flyAnew(this.#live.index))
  }

  /** Compares the ship with a check of the server: two words, as at the start of an open step. */
  verify(start: number, check: ArrayLike<number>): Verdict {
    const { ships } = this.#root.stage.state
    if (start < ships.stepStart[this.#root.slot]) return 'late'
    if (!this.#confirm(start)) return 'early'
    this.#root.check(own)
    const isSame = ships.stepStart[this.#root.slot] === start
    return isSame && own[0] === check[0] && own[1] === check[1] ? 'matched' : 'differs'
  }

  /** Compares what modules keep of it with what the server has of them at an index. */
  verifyRows({ index, rows: sent }: SentRows): Verdict {
    if (index < this.#root.index || !this.#root.rows) return 'late'
    if (!this.#confirm(index)) return 'early'
    const { rows } = this.#root
    const isSame = sent.ids.every((id) => {
      return rows.ids.includes(id) && isEqual(rows.valuesOf(id), sent.valuesOf(id))
    })
    if (!isSame || !isEqual(rows.load, sent.load)) return 'differs'
    this.#settledAt = index
    return 'matched'
  }

  /** Goes on from another seed; returns by how much that moves the ship where it is now [m]. */
  reseed(seed: Seed): number {
    // The server had these when it took the seed.
    this.#orders = this.#orders.filter(({ isSettled }) => !isSettled)
    const { index } = this.#live
    const begin = (): void => {
      this.#root = new ModuleStage(this.#place, seed.ship)
      this.#live = new ModuleStage(this.#place, seed.ship)
      this.#enter(seed)
    }
    const isNear = seed.index <= index && index - seed.index <= CATCH_UP_QUANTA
    if (isNear && this.#place.reach(index)) {
      return this.#corrected(() => {
        begin()
        if (index > seed.index) this.#live.flyTo(index, this.#orders)
      })
    }
    begin()
    // What has not been flown so far was not shown either.
    return 0
  }

  /** Takes the ship at an index for right; false where it cannot be flown there yet. */
  #confirm(index: number): boolean {
    const isOpen = this.#orders.some((order) => !order.isSettled && order.index <= index)
    const isFar = !(index - this.#live.index <= CATCH_UP_QUANTA)
    if (isOpen || isFar || !this.#place.reach(index)) return false
    // Its page may not be looked at.
    if (index > this.#live.index) this.#live.flyTo(index, this.#orders)
    this.#root.flyTo(index, this.#orders)
    this.#orders = this.#orders.filter((order) => order.index > index)
    return true
  }

  #enter({ index, ship, rows }: Seed): void {
    const waiting = ship.orders.map((order) => ({ ...order, isSettled: true }))
    this.#orders = [...waiting, ...this.#orders].toSorted((a, b) => a.index - b.index)
    this.#settledAt = index
    this.#root.enter(ship, index, rows)
    this.#live.enter(ship, index, rows)
  }

  /** Flies to an index from the root. */
  #flyAnew(index: number): void {
    this.#live.enter(this.#root.copied(), this.#root.index, this.#root.rows)
    this.#live.flyTo(index, this.#orders)
  }

  #corrected(act: () => void): number {
    const { index } = this.#live
    this.#readPlace(before, index)
    const from = this.#reference
    act()
    this.#readPlace(after, index)
    if (this.#reference !== from) {
      bodyState(shift, this.#place.ephemeris, from, this.#reference, index, 0)
      for (let axis = 0; axis < 3; axis++) before.r[axis] += shift.r[axis]
    }
    return Math.hypot(...after.r.map((value, axis) => value - before.r[axis]))
  }

  get #stepStart(): number {
    return this.#live.stage.state.ships.stepStart[this.#live.slot]
  }

  get #reference(): number {
    return this.#live.stage.state.ships.reference[this.#live.slot]
  }

  #readPlace(out: StateVector, n: number): void {
    stateOf(out, this.#live.stage, this.#live.slot, n)
  }
}

/**
 * Writes the state of a ship where it has been flown to; false before its open step.
 *
 * @param time  lattice index, need not be whole
 */
export function readStage(out: ShipSample, { slot, stage }: ShipStage, time: number): boolean {
  const { state } = stage
  const n = Math.floor(time)
  const offset = time - n
  const ship = shipClassOf(state, slot)
  const { ships, system } = state
  const isFrozen = ships.condition[slot] === FROZEN
  if (!isFrozen && n < ships.stepStart[slot]) return false
  out.reference = ships.reference[slot]
  out.body = system.bodies[out.reference].name
  if (isFrozen) stateOf(out, stage, slot, n)
  else segmentState(out, ships, slot, ship, n, offset)
  const passed = isFrozen ? 0 : segmentFraction(ships, slot, n, offset)
  segmentAttitude(out.attitude, stage, slot, out, n, offset)
  const { attitude, angularMomentum, wheelMomentum } = ships
  bodyRate(out.rate, attitude, angularMomentum, wheelMomentum, slot, ship.inertia)
  for (const axis of AXES) out.wheels[axis] = wheelSaturation(wheelMomentum, slot, axis, ship)
  out.isFrozen = isFrozen
  out.payload = ships.payload[slot]
  out.thrustLimit = thrustLimitOf(ships, slot)
  out.fuel = segmentFuel(ships, slot, passed)
  out.thrustLevel = out.fuel > 0 ? ships.thrustLevel[slot] : 0
  return true
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const AXES = [0, 1, 2] as const
const own = new Uint32Array(2)
const before = createStateVector()
const after = createStateVector()
const shift = createStateVector()
