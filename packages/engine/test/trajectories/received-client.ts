import type { World } from '@orrery/engine/testing'
import {
  FROZEN,
  LOCKED,
  POINTINGS,
  QUANTA_PER_SECOND,
  type ShipColumns,
  type StateVector,
  TARGETS,
  attitudeAt,
  bodyState,
  createHulls,
  createStateVector,
  followsTrajectory,
  railRowState,
  segmentState,
  ARC_COLUMNS,
  HULL_COLUMNS,
} from '@orrery/sim'
import type { Publication } from '../../src/trajectories/publication.ts'
import type { Trajectories } from '../../src/trajectories/trajectories.ts'
import { table } from '../../src/trajectories/rows.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { turned } from '../../src/trajectories/steady-turn.ts'

type Values = readonly number[]

/** A step as a client keeps it. */
export interface Arc {
  readonly reference: number
  readonly start: number
  readonly end: number
  readonly position: Values
  readonly velocity: Values
  readonly acceleration: Values
  readonly endPosition: Values
  readonly endVelocity: Values
  readonly endAcceleration: Values
  /** its accelerations are 32-bit floats */
  readonly isRounded?: boolean
}

/** Attitude and engine as a client keeps them. */
export interface Hull {
  readonly start: number
  readonly aim: number
  readonly aimKind: number
  readonly fuel: number
  readonly flow: number
  readonly attitude: Values
  readonly rate: Values
  readonly thrustLevel: number
  readonly condition: number
  readonly mode: number
  readonly pointing: number
}

/** What a client knows of one ship: records by their starts. */
export interface ReceivedShip {
  readonly arcs: Arc[]
  readonly hulls: Hull[]
}

/** What a client has of a ship. */
export interface ReceivedState extends StateVector {
  readonly reference: number
  readonly attitude: Float64Array
  readonly fuel: number
  readonly thrustLevel: number
  readonly isFrozen: boolean
  readonly arc: Arc
  readonly hull: Hull
}

const TARGET = POINTINGS.indexOf('target')

/** A client that knows the records, the massive bodies and the rails, and nothing else. */
export class ReceivedClient {
  readonly ships: Map<number, ReceivedShip> = new Map()
  /** by ship: the publication that it has of it */
  readonly #received = new Map<number, number>()
  /** records of steps that it was sent */
  readonly received: Record<'steps' | 'burns' | 'arcs' | 'hulls', number> = {
    steps: 0,
    burns: 0,
    arcs: 0,
    hulls: 0,
  }

  /** Takes whole records of ships, by default of all, of which it has no recent one. */
  ask(
    world: World,
    trajectories: Trajectories,
    ships: Iterable<RosterEntry> = world.roster.byId.values(),
  ): void {
    const arcs = table(ARC_COLUMNS, 1)
    const hulls = table(HULL_COLUMNS, 1)
    for (const { number, slot } of ships) {
      const known = this.#received.get(number)
      if (known !== undefined && known >= trajectories.changedAt[slot]) continue
      trajectories.arcOf(arcs, 0, slot)
      trajectories.hullOf(hulls, 0, slot)
      const changed = trajectories.changedAt[slot]
      // A whole record does not say what the ship will do.
      this.#received.set(number, trajectories.expected.has(slot) ? changed - 1 : changed)
      this.#keepArc(number, rowOf(ARC_COLUMNS, arcs, 0) as unknown as Arc)
      this.#keepHull(number, rowOf(HULL_COLUMNS, hulls, 0) as unknown as Hull)
    }
  }

  /** Takes all records of a publication. */
  read({ arcs, burns, hulls, index, steps }: Publication): void {
    this.received.arcs += arcs.count
    this.received.burns += burns.count
    this.received.steps += steps.count
    this.received.hulls += hulls.count
    for (let row = 0; row < arcs.count; row++) {
      const arc = rowOf(ARC_COLUMNS, arcs.columns, row)
      this.#keepArc(arc['number'] as unknown as number, arc as unknown as Arc)
    }
    for (const { columns, count } of [steps, burns]) {
      const isRounded = columns === burns.columns
      for (let row = 0; row < count; row++) {
        const before = this.ships.get(columns.number[row])!.arcs.at(-1)!
        const acceleration = isRounded
          ? triple(burns.columns.acceleration, row)
          : before.endAcceleration
        this.#keepArc(columns.number[row], {
          reference: before.reference,
          start: before.end,
          end: index + columns.end[row],
          position: before.endPosition,
          velocity: before.endVelocity,
          acceleration,
          endPosition: triple(columns.endPosition, row),
          endVelocity: triple(columns.endVelocity, row),
          endAcceleration: triple(columns.endAcceleration, row),
          ...(isRounded && { isRounded }),
        })
      }
    }
    for (let row = 0; row < hulls.count; row++) {
      const hull = rowOf(HULL_COLUMNS, hulls.columns, row)
      this.#keepHull(hull['number'] as unknown as number, hull as unknown as Hull)
    }
  }

  /** What it has of a ship at a lattice index. */
  state({ state: { ephemeris, rails } }: World, number: number, n: number): ReceivedState {
    const { arcs, hulls } = this.ships.get(number)!
    const arc = arcs.findLast(({ start }) => start <= n)!
    const hull = hulls.findLast(({ start }) => start <= n)!
    const { reference } = arc
    const at = createStateVector()
    if (hull.condition === FROZEN) {
      at.r.set(arc.position)
      at.v.set(arc.velocity)
    } else evaluate(at, arc, n)
    const seconds = hull.condition === FROZEN ? 0 : (n - hull.start) / QUANTA_PER_SECOND
    const fuel = hull.fuel + hull.flow * seconds
    const attitude = new Float64Array(4)
    const q = Float32Array.from(hull.attitude)
    if (hull.mode === LOCKED && followsTrajectory(hull.pointing)) {
      const aim = new Float64Array(6)
      const kind = TARGETS[hull.aimKind]
      if (hull.pointing === TARGET && kind !== 'none') {
        const target = createStateVector()
        let from = reference
        if (kind === 'body') bodyState(target, ephemeris, hull.aim, reference, n, 0)
        else if (kind === 'rail') from = railRowState(target, { rails, ephemeris }, hull.aim, n)
        else from = this.#place(target, hull.aim, n)
        const shift = createStateVector()
        bodyState(shift, ephemeris, from, reference, n, 0)
        for (let axis = 0; axis < 3; axis++) {
          aim[axis] = target.r[axis] + shift.r[axis] - at.r[axis]
          aim[3 + axis] = target.v[axis] + shift.v[axis] - at.v[axis]
        }
      }
      const row = createHulls(1)
      row.attitude.set(hull.attitude)
      row.pointing[0] = hull.pointing
      attitudeAt(attitude, row, 0, 0, at, aim)
    } else turned(attitude, q, Float32Array.from(hull.rate), 0, seconds)
    const { r, v } = at
    const isFrozen = hull.condition === FROZEN
    const thrustLevel = fuel > 0 ? hull.thrustLevel : 0
    return { r, v, reference, attitude, fuel, thrustLevel, isFrozen, arc, hull }
  }

  #place(out: StateVector, number: number, n: number): number {
    const arc = this.ships.get(number)!.arcs.findLast(({ start }) => start <= n)!
    evaluate(out, arc, n)
    return arc.reference
  }

  #ship(number: number): ReceivedShip {
    const known = this.ships.get(number) ?? { arcs: [], hulls: [] }
    this.ships.set(number, known)
    return known
  }

  #keepArc(number: number, arc: Arc): void {
    const { arcs } = this.#ship(number)
    while (arcs.length > 0 && arcs.at(-1)!.start >= arc.start) arcs.pop()
    arcs.push(arc)
    if (arcs.length > 2) arcs.shift()
  }

  #keepHull(number: number, hull: Hull): void {
    const { hulls } = this.#ship(number)
    while (hulls.length > 0 && hulls.at(-1)!.start >= hull.start) hulls.pop()
    hulls.push(hull)
    if (hulls.length > 2) hulls.shift()
  }
}

/** The quintic, by the core's own function. */
function evaluate(out: StateVector, arc: Arc, n: number): void {
  const columns = {
    stepStart: [arc.start],
    stepEnd: [arc.end],
    position: arc.position,
    velocity: arc.velocity,
    gravity: arc.acceleration,
    endPosition: arc.endPosition,
    endVelocity: arc.endVelocity,
    endGravity: arc.endAcceleration,
    fuel: [0],
    hullRow: [0],
  }
  const ship = { dryMass: 1 } as Parameters<typeof segmentState>[3]
  segmentState(out, columns as unknown as ShipColumns, 0, ship, n, 0)
}

function rowOf(
  columns: readonly { readonly name: string; readonly components: number }[],
  views: object,
  row: number,
): Record<string, Values> {
  const arrays = views as Record<string, Float64Array>
  return Object.fromEntries(
    columns.map(({ name, components }) => {
      const values = arrays[name].subarray(components * row, components * (row + 1))
      return [name, components === 1 ? values[0] : [...values]]
    }),
  ) as Record<string, Values>
}

function triple(values: ArrayLike<number>, row: number): Values {
  return [values[3 * row], values[3 * row + 1], values[3 * row + 2]]
}
