import type { RailedObject } from '@orrery/protocol'
import { type StarSystem, type StateVector, createStateVector, railState } from '@orrery/sim'
import { type Listeners, createListeners } from '../listeners.ts'
import { ARC_DOUBLES, arcState } from './arc.ts'
import { type Bodies, createBodies } from './bodies.ts'
import { hullState, isAiming } from './told-hull.ts'
import { ToldShips } from './told-ships.ts'
import {
  type Completeness,
  type Ship,
  type ShipState,
  type World,
  type WorldEvents,
  createShipState,
} from './world.ts'

/** A ship whose name may change. */
interface KnownShip extends Ship {
  id: string
  name: string
}

/** A ship that the client flies itself. */
export interface FlownShip {
  readonly id: string
  /** writes its state; false when it can not be flown there */
  stateAt(out: ShipState, time: number): boolean
}

const BODY = 1
const RAIL = 2
const SHIP = 3

const ship = createShipState()
const other = createStateVector()
const place = createStateVector()
const aim = new Float64Array(6)

/** The world as it has come: what messages write, and programs read. */
export class Scene implements World {
  readonly told: ToldShips = new ToldShips()
  bodies: Bodies | undefined
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
  readonly #railed = new Map<number, RailedObject>()
  readonly #happened = {
    joined: new Set<Ship>(),
    left: new Set<Ship>(),
    named: new Set<Ship>(),
    changed: new Set<Ship>(),
  }

  get system(): StarSystem | undefined {
    return this.bodies?.system
  }

  ships(): readonly Ship[] {
    return this.#ships
  }

  ship(id: string): Ship | undefined {
    return this.#byId.get(id)
  }

  shipAt(out: ShipState, id: string, time: number): boolean {
    if (this.flown?.id === id && this.flown.stateAt(out, time)) return true
    const known = this.#byId.get(id)
    return known !== undefined && this.#toldAt(out, this.told.row(known.number), time)
  }

  positionAt(out: StateVector, id: string, time: number, center?: string): boolean {
    const origin = this.bodies?.indexOf(center)
    if (origin === undefined || !this.shipAt(ship, id, time)) return false
    out.r.set(ship.r)
    out.v.set(ship.v)
    return this.#shift(out, ship.reference, origin, time)
  }

  positionsAt(out: Float64Array, time: number, center?: string): number {
    const { bodies, told } = this
    const { arc, arcs, reference } = told.columns
    const origin = bodies?.indexOf(center)
    const isKnown = origin !== undefined && bodies!.reach(time)
    const count = Math.min(told.count, Math.floor(out.length / 3))
    // Neighbours mostly share a body.
    let body = -2
    for (let row = 0; row < count; row++) {
      const record = told.arcAt(row, time)
      if (!isKnown || arcs[row] === 0) {
        out.fill(NaN, 3 * row, 3 * row + 3)
        continue
      }
      if (body !== reference[record]) {
        body = reference[record]
        bodies!.stateAt(place, body, origin, time)
      }
      arcState(other, arc, ARC_DOUBLES * record, bodies!.system.bodies[body].gm, time)
      for (let axis = 0; axis < 3; axis++) out[3 * row + axis] = other.r[axis] + place.r[axis]
    }
    if (this.flown) this.#placeFlown(out, this.flown, time, center)
    return told.count
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

  objectAt(out: StateVector, id: string, time: number, center?: string): boolean {
    const object = this.#objectsById.get(id)
    const origin = this.bodies?.indexOf(center)
    if (!object || origin === undefined || !this.bodies!.reach(time)) return false
    const n = Math.floor(time)
    railState(out, this.bodies!.ephemeris, object.rail, n, time - n)
    return this.#shift(out, object.rail.parent, origin, time)
  }

  completeness(): Completeness {
    return { known: this.told.count, inView: this.inView, waiting: this.waiting }
  }

  on<Kind extends keyof WorldEvents>(
    kind: Kind,
    listener: (event: WorldEvents[Kind]) => void,
  ): () => void {
    return this.#listeners.on(kind, listener)
  }

  /** Begins a star system anew. @throws {SimError} 'ERR_STAR_SYSTEM' */
  enter(system: StarSystem): void {
    this.clear()
    this.bodies = createBodies(system)
    this.placeObjects([])
    this.#listeners.emit('system', system)
  }

  placeObjects(objects: readonly RailedObject[]): void {
    this.#objects = objects
    this.#objectsById.clear()
    this.#railed.clear()
    for (const object of objects) {
      this.#objectsById.set(object.id, object)
      this.#railed.set(object.row, object)
    }
    this.#listeners.emit('objects', objects)
  }

  /** The row of a ship, taken for it when it has none. */
  rowOf(number: number): number {
    const row = this.told.take(number)
    if (row === this.#ships.length) this.#ships.push({ number, id: '', name: '' })
    return row
  }

  /** Names the ship of a row. */
  identify(row: number, id: string, name: string): void {
    const known = this.#ships[row]
    if (known.id === '') this.#happened.joined.add(known)
    else if (known.name !== name) this.#happened.named.add(known)
    known.id = id
    known.name = name
    this.#byId.set(id, known)
  }

  /** Notes that the ship of a row flies otherwise than was to be expected. */
  noteChange(row: number): void {
    this.#happened.changed.add(this.#ships[row])
  }

  /** Forgets the ship of a row, which the last row takes. */
  remove(row: number): void {
    const known = this.#ships[row]
    this.told.remove(row)
    const last = this.#ships.pop()!
    if (last !== known) this.#ships[row] = last
    if (known.id === '') return
    this.#byId.delete(known.id)
    if (!this.#happened.joined.delete(known)) this.#happened.left.add(known)
  }

  /** Forgets all ships. */
  clear(): void {
    while (this.told.count > 0) this.remove(this.told.count - 1)
  }

  /** Emits what has happened since the last time. */
  announce(): void {
    for (const kind of ['joined', 'left', 'named', 'changed'] as const) {
      const ships = this.#happened[kind]
      if (ships.size === 0) continue
      this.#listeners.emit(kind, [...ships])
      ships.clear()
    }
  }

  #toldAt(out: ShipState, row: number, time: number): boolean {
    const { bodies, told } = this
    const { arc, arcs, hulls, reference } = told.columns
    if (!bodies || row < 0 || arcs[row] === 0) return false
    const record = told.arcAt(row, time)
    const body = bodies.system.bodies[reference[record]]
    out.reference = reference[record]
    out.body = body.name
    arcState(out, arc, ARC_DOUBLES * record, body.gm, time)
    if (hulls[row] === 0) return true
    const hull = told.hullAt(row, time)
    aim.fill(0)
    if (isAiming(told, hull)) this.#aimAt(out, hull, time)
    hullState(out, told, hull, time, aim)
    return true
  }

  /** Fills `aim` with what a hull points at, relative to its ship; leaves it when not known. */
  #aimAt(from: ShipState, hull: number, time: number): void {
    const { bodies, told } = this
    const { aim: target, aimKind, arcs, arc, reference } = told.columns
    if (!bodies?.reach(time)) return
    let center = target[hull]
    const railed = aimKind[hull] === RAIL ? this.#railed.get(center) : undefined
    if (aimKind[hull] === BODY && bodies.system.bodies[center]) {
      other.r.fill(0)
      other.v.fill(0)
    } else if (railed) {
      const { rail } = railed
      const n = Math.floor(time)
      railState(other, bodies.ephemeris, rail, n, time - n)
      center = rail.parent
    } else if (aimKind[hull] === SHIP) {
      const row = told.row(center)
      if (row < 0 || arcs[row] === 0) return
      const record = told.arcAt(row, time)
      center = reference[record]
      arcState(other, arc, ARC_DOUBLES * record, bodies.system.bodies[center].gm, time)
    } else return
    this.#shift(other, center, from.reference, time)
    for (let axis = 0; axis < 3; axis++) {
      aim[axis] = other.r[axis] - from.r[axis]
      aim[3 + axis] = other.v[axis] - from.v[axis]
    }
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
    const row = known ? this.told.row(known.number) : -1
    if (row < 0 || 3 * row + 3 > out.length) return
    if (this.positionAt(other, id, time, center)) out.set(other.r, 3 * row)
  }
}
