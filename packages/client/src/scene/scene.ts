import type { RailedObject } from '@orrery/protocol'
import {
  type Rail,
  type ShipClass,
  type StarSystem,
  type StateVector,
  createStateVector,
  railState,
} from '@orrery/sim'
import { type Listeners, createListeners } from '../listeners.ts'
import { ARC, arcState, insidePosition, isInside } from './arc.ts'
import { type Bodies, createBodies } from './bodies.ts'
import { RECEIVED_HULL, hullState, isAiming } from './received-hull.ts'
import { ReceivedShips } from './received-ships.ts'
import {
  type Completeness,
  type LagrangePlace,
  type Ship,
  type ShipSample,
  type World,
  type WorldEvents,
  createShipSample,
} from './world.ts'

/** A ship whose name and row may change. */
interface KnownShip extends Ship {
  id: string
  name: string
  shipClass: string
  row: number
  /** whether it is among those that have changed since the last announcement */
  hasChanged: boolean
}

/** A ship that the client flies itself. */
export interface FlownShip {
  readonly id: string
  /** writes its state; false when it can not be flown there */
  stateAt(out: ShipSample, time: number): boolean
}

const BODY = 1
const RAIL = 2
const SHIP = 3

const ship = createShipSample()
const other = createStateVector()
const place = createStateVector()
const middle = createStateVector()
const aim = new Float64Array(6)

type RailedRow = ReturnType<World['rows']>[number]

/** The world as it has come: what messages write, and programs read. */
export class Scene implements World {
  readonly received: ReceivedShips = new ReceivedShips()
  bodies: Bodies | undefined
  /** of ships, by row of frames; none where only ticks come */
  classes: readonly ShipClass[] = []
  flown: FlownShip | undefined
  /** ships in view and ships that wait, as the server counts them */
  inView = 0
  waiting = 0
  readonly #listeners: Listeners<WorldEvents> = createListeners()
  /** by row */
  readonly #ships: KnownShip[] = []
  readonly #byId = new Map<string, KnownShip>()
  #objects: readonly RailedObject[] = []
  readonly #objectsById = new Map<string, RailedObject>()
  readonly #railed = new Map<number, RailedRow>()
  #rows: readonly RailedRow[] = []
  readonly #happened = {
    joined: new Set<Ship>(),
    left: new Set<Ship>(),
    named: new Set<Ship>(),
  }
  readonly #changed: KnownShip[] = []

  get system(): StarSystem | undefined {
    return this.bodies?.system
  }

  ships(): readonly Ship[] {
    return this.#ships
  }

  ship(id: string): Ship | undefined {
    return this.#byId.get(id)
  }

  shipAt(out: ShipSample, id: string, time: number): boolean {
    if (this.flown?.id === id && this.flown.stateAt(out, time)) return true
    const known = this.#byId.get(id)
    return known !== undefined && this.#receivedAt(out, known.row, time)
  }

  positionAt(out: StateVector, id: string, time: number, center?: string): boolean {
    const origin = this.bodies?.indexOf(center)
    if (origin === undefined || !this.shipAt(ship, id, time)) return false
    out.r.set(ship.r)
    out.v.set(ship.v)
    return this.#shift(out, ship.reference, origin, time)
  }

  positionsAt(out: Float64Array, time: number, center?: string): number {
    const { bodies, received } = this
    const { kept, values } = received.arcs
    const origin = bodies?.indexOf(center)
    const isKnown = origin !== undefined && bodies!.reach(time)
    const count = Math.min(received.count, Math.floor(out.length / 3))
    // Neighbours mostly share a body.
    let body = -2
    for (let row = 0; row < count; row++) {
      if (!isKnown || kept[row] === 0) {
        out.fill(NaN, 3 * row, 3 * row + 3)
        continue
      }
      const at = received.arcs.at(row, time)
      if (body !== values[at + ARC.reference]) {
        body = values[at + ARC.reference]
        bodies!.stateAt(place, body, origin, time)
      }
      if (isInside(values, at, time)) insidePosition(out, 3 * row, values, at, time)
      else {
        arcState(other, values, at, bodies!.system.bodies[body].gm, time)
        out.set(other.r, 3 * row)
      }
      for (let axis = 0; axis < 3; axis++) out[3 * row + axis] += place.r[axis]
    }
    if (this.flown) this.#placeFlown(out, this.flown, time, center)
    return received.count
  }

  statesAt(out: Float64Array, indices: Uint32Array, time: number, center?: string): void {
    const { bodies, received } = this
    const { kept, values } = received.arcs
    const origin = bodies?.indexOf(center)
    const isKnown = origin !== undefined && bodies!.reach(time)
    const flownRow = this.#byId.get(this.flown?.id ?? '')?.row
    let body = -2
    for (let k = 0; k < indices.length; k++) {
      const row = indices[k]
      const isFlown = row === flownRow && this.positionAt(other, this.flown!.id, time, center)
      const isReceived = isKnown && row < received.count && kept[row] > 0
      if (!isFlown && !isReceived) {
        other.r.fill(NaN)
        other.v.fill(NaN)
      } else if (!isFlown) {
        const at = received.arcs.at(row, time)
        if (body !== values[at + ARC.reference]) {
          body = values[at + ARC.reference]
          bodies!.stateAt(middle, body, origin!, time)
        }
        arcState(other, values, at, bodies!.system.bodies[body].gm, time)
        for (let axis = 0; axis < 3; axis++) {
          other.r[axis] += middle.r[axis]
          other.v[axis] += middle.v[axis]
        }
      }
      out.set(other.r, 6 * k)
      out.set(other.v, 6 * k + 3)
    }
  }

  bodyAt(out: StateVector, name: string, time: number, center?: string): boolean {
    const body = this.bodies?.indexOf(name)
    const origin = this.bodies?.indexOf(center)
    if (body === undefined || origin === undefined || !this.bodies!.reach(time)) return false
    this.bodies!.stateAt(out, body, origin, time)
    return true
  }

  objects(): readonly RailedObject[] {
    return this.#objects
  }

  rows(): readonly RailedRow[] {
    return this.#rows
  }

  objectAt(out: StateVector, id: string, time: number, center?: string): boolean {
    const object = this.#objectsById.get(id)
    return object !== undefined && this.#railAt(out, object.rail, time, center)
  }

  lagrangeAt(
    out: StateVector,
    { secondary: name, point }: LagrangePlace,
    time: number,
    center?: string,
  ): boolean {
    const secondary = this.bodies?.indexOf(name)
    const parent = this.bodies?.system.bodies[secondary ?? -1]?.parent ?? -1
    if (secondary === undefined || parent < 0) return false
    return this.#railAt(out, { kind: 'lagrange', parent, secondary, point }, time, center)
  }

  completeness(): Completeness {
    return { known: this.received.count, inView: this.inView, waiting: this.waiting }
  }

  on<Kind extends keyof WorldEvents>(
    kind: Kind,
    listener: (event: WorldEvents[Kind]) => void,
  ): () => void {
    return this.#listeners.on(kind, listener)
  }

  /** Begins a star system. @throws {SimError} 'ERR_STAR_SYSTEM' */
  enter(system: StarSystem, classes: readonly ShipClass[] = []): void {
    this.clear()
    this.classes = classes
    this.bodies = createBodies(system)
    this.placeObjects([])
    this.#listeners.emit('system', system)
  }

  /** All that orders name by its rail: objects, and rows of modules. */
  rails(): readonly RailedRow[] {
    return [...this.#railed.values()]
  }

  placeObjects(objects: readonly RailedObject[], rows: readonly RailedRow[] = []): void {
    this.#objects = objects
    this.#rows = rows
    this.#objectsById.clear()
    this.#railed.clear()
    for (const object of objects) this.#objectsById.set(object.id, object)
    for (const place of [...objects, ...rows]) this.#railed.set(place.row, place)
    this.#listeners.emit('objects', objects)
  }

  /** The row of a ship, taken for it when it has none. */
  rowOf(number: number): number {
    const row = this.received.take(number)
    if (row === this.#ships.length) {
      this.#ships.push({ number, id: '', name: '', shipClass: '', row, hasChanged: false })
    }
    return row
  }

  /** Names the ship of a row. */
  identify(row: number, { id, name, shipClass }: Omit<Ship, 'number'>): void {
    const known = this.#ships[row]
    if (known.id === '') this.#happened.joined.add(known)
    else if (known.name !== name) this.#happened.named.add(known)
    known.id = id
    known.name = name
    known.shipClass = shipClass
    this.#byId.set(id, known)
  }

  /** Notes that the ship of a row flies otherwise than was to be expected. */
  noteChange(row: number): void {
    const known = this.#ships[row]
    if (known.hasChanged || !this.#listeners.has('changed')) return
    known.hasChanged = true
    this.#changed.push(known)
  }

  /** Forgets the ship of a row, which the last row takes. */
  remove(row: number): void {
    const known = this.#ships[row]
    this.received.remove(row)
    const last = this.#ships.pop()!
    if (last !== known) this.#ships[row] = last
    last.row = row
    if (known.id === '') return
    // A ship that was changed has another number, which may have come before this one left.
    if (this.#byId.get(known.id) === known) this.#byId.delete(known.id)
    if (!this.#happened.joined.delete(known)) this.#happened.left.add(known)
  }

  /** Forgets all ships. */
  clear(): void {
    while (this.received.count > 0) this.remove(this.received.count - 1)
  }

  /** Emits what has happened since the last time. */
  announce(): void {
    for (const kind of ['joined', 'left', 'named'] as const) {
      const ships = this.#happened[kind]
      if (ships.size === 0) continue
      this.#listeners.emit(kind, [...ships])
      ships.clear()
    }
    if (this.#changed.length === 0) return
    for (const known of this.#changed) known.hasChanged = false
    this.#listeners.emit('changed', this.#changed.slice())
    this.#changed.length = 0
  }

  #receivedAt(out: ShipSample, row: number, time: number): boolean {
    const { arcs, hulls } = this.received
    if (!this.bodies || arcs.kept[row] === 0) return false
    const at = arcs.at(row, time)
    // A small integer, which is kept where it is written.
    const reference = arcs.values[at + ARC.reference] | 0
    const { gm, name } = this.bodies.system.bodies[reference]
    out.reference = reference
    out.body = name
    arcState(out, arcs.values, at, gm, time)
    if (hulls.kept[row] === 0) return true
    const hull = hulls.at(row, time)
    if (isAiming(hulls.values, hull)) this.#aimAt(out, hull, time)
    hullState(out, hulls.values, hull, time, aim)
    return true
  }

  /** Fills `aim` with what a hull points at, relative to its ship: zeros when that is not known. */
  #aimAt(from: ShipSample, hull: number, time: number): void {
    aim.fill(0)
    const { values } = this.received.hulls
    const center = this.#targetAt(
      values[hull + RECEIVED_HULL.aimKind],
      values[hull + RECEIVED_HULL.aim],
      time,
    )
    if (center < 0 || !this.#shift(other, center, from.reference, time)) return
    for (let axis = 0; axis < 3; axis++) {
      aim[axis] = other.r[axis] - from.r[axis]
      aim[3 + axis] = other.v[axis] - from.v[axis]
    }
  }

  /** Writes a target's state to `other`; returns the body that it is relative to, -1 if unknown. */
  #targetAt(kind: number, target: number, time: number): number {
    const { bodies, received } = this
    if (!bodies?.reach(time)) return -1
    if (kind === BODY && target >= 0 && target < bodies.system.bodies.length) {
      other.r.fill(0)
      other.v.fill(0)
      return target
    }
    const railed = kind === RAIL ? this.#railed.get(target) : undefined
    if (railed) {
      const n = Math.floor(time)
      railState(other, bodies.ephemeris, railed.rail, n, time - n)
      return railed.rail.parent
    }
    const row = kind === SHIP ? received.row(target) : -1
    if (row < 0 || received.arcs.kept[row] === 0) return -1
    const { values } = received.arcs
    const at = received.arcs.at(row, time)
    const reference = values[at + ARC.reference]
    arcState(other, values, at, bodies.system.bodies[reference].gm, time)
    return reference
  }

  #railAt(out: StateVector, rail: Rail, time: number, center?: string): boolean {
    const origin = this.bodies?.indexOf(center)
    if (origin === undefined || !this.bodies!.reach(time)) return false
    const n = Math.floor(time)
    railState(out, this.bodies!.ephemeris, rail, n, time - n)
    return this.#shift(out, rail.parent, origin, time)
  }

  /** Makes a state relative to one body one relative to another; false when these are unknown. */
  #shift(out: StateVector, from: number, to: number, time: number): boolean {
    if (from === to) return true
    if (!this.bodies?.reach(time)) return false
    this.bodies.stateAt(place, from, to, time)
    for (let axis = 0; axis < 3; axis++) {
      out.r[axis] += place.r[axis]
      out.v[axis] += place.v[axis]
    }
    return true
  }

  #placeFlown(out: Float64Array, { id }: FlownShip, time: number, center?: string): void {
    const known = this.#byId.get(id)
    if (!known || 3 * known.row + 3 > out.length) return
    if (this.positionAt(other, id, time, center)) out.set(other.r, 3 * known.row)
  }
}
