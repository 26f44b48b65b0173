import {
  type EquatorialOrbit,
  type StateVector,
  TURN_PARTS,
  type WorldState,
  bodyState,
  createStateVector,
  equatorialMotion,
  equatorialPole,
  equatorialState,
  turnRate,
} from '@orrery/sim'
import type { StoredModule } from '@orrery/engine/modules'
import type { Orbit, Table } from '../../declaration.ts'
import { f64 } from '../../column.ts'
import {
  BrokenModule,
  type ColumnMemory,
  HASHED_ROWS,
  byName,
  columnMemories,
  stored,
  writeText,
} from './memory.ts'
import type { Writes } from './writes.ts'

/** What an image keeps of a module: doubles of its ships that differ from new ones, then tables. */
export interface KeptModule {
  readonly stored: StoredModule
  readonly values: readonly number[]
}

/** What a row on a rail keeps beside its columns. */
const RAIL = {
  parent: f64(''),
  radius: f64('m'),
  poleX: f64(''),
  poleY: f64(''),
  poleZ: f64(''),
  rate: f64('parts of a turn'),
  epoch: f64('quanta'),
}

const RAIL_NAMES = Object.keys(RAIL)

/** Columns of a table as an image has them: its own, and what gives a row's rail. */
export function railIn(columns: readonly string[]): {
  readonly names: readonly string[]
  readonly rail: (row: readonly number[]) => EquatorialOrbit | undefined
} {
  const at = columns.length - RAIL_NAMES.length
  const isOnRail = columns.slice(Math.max(0, at)).join() === RAIL_NAMES.join()
  if (!isOnRail) return { names: columns, rail: () => undefined }
  return { names: columns.slice(0, at), rail: (row) => orbitOf(row.slice(at)) }
}

function orbitOf([parent, radius, x, y, z, rate, epoch]: readonly number[]): EquatorialOrbit {
  return { kind: 'orbit', parent, radius, pole: [x, y, z], rate, epoch }
}

/** The rows of a table in one star system. Rows are only added; the first has id 1. */
export class TableRows {
  readonly name: string
  /** of the table, and of its rails */
  readonly memories: readonly ColumnMemory[]
  readonly rails: readonly ColumnMemory[]
  readonly rowsMax: number
  readonly #byName: ReadonlyMap<string, ColumnMemory>
  #last: ColumnMemory | undefined
  readonly #texts: ReadonlyMap<string, readonly ColumnMemory[]>
  /** by id */
  readonly #orbits = new Map<number, EquatorialOrbit>()
  count = 0

  constructor(name: string, { columns, onRail = false, rows }: Table) {
    this.name = name
    this.rowsMax = rows
    const memory = Math.ceil(rows / HASHED_ROWS) * HASHED_ROWS
    const own = columnMemories(columns, memory)
    this.#byName = new Map(own.map((one) => [one.name, one]))
    this.#texts = byName(own.filter(({ text }) => text !== undefined))
    this.rails = onRail ? columnMemories(RAIL, memory) : []
    this.memories = [...own, ...this.rails]
  }

  has(id: number): boolean {
    return Number.isInteger(id) && id >= 1 && id <= this.count
  }

  column(name: string): ColumnMemory {
    // Ships that beat name the same one after another.
    if (this.#last?.name === name) return this.#last
    this.#last = this.#byName.get(name)
    if (this.#last) return this.#last
    throw new BrokenModule(`Rows of ${this.name} have no ${name}.`)
  }

  /** @returns the id of the new row */
  add(writes: Writes, values: object, rail: EquatorialOrbit | undefined): number {
    if (this.count >= this.rowsMax) {
      throw new BrokenModule(`It adds more than ${this.rowsMax} rows to ${this.name}.`)
    }
    const place = this.count++
    for (const [name, value] of Object.entries(values)) {
      const parts = this.#texts.get(name)
      if (parts) writeText(parts, writes, place, value)
      else writes.write(this.column(name), place, stored(this.column(name), value))
    }
    if ((rail === undefined) !== (this.rails.length === 0)) {
      throw new BrokenModule(`It adds a row of ${this.name} ${rail ? 'with' : 'without'} an orbit.`)
    }
    if (rail) {
      const { parent, radius, pole, rate, epoch } = rail
      for (const [i, value] of [parent, radius, ...pole, rate, epoch].entries()) {
        writes.write(this.rails[i], place, value)
      }
    }
    return this.count
  }

  /** The rail of a row. @throws {BrokenModule} where rows have none */
  rail(id: number): EquatorialOrbit {
    const known = this.#orbits.get(id)
    if (known) return known
    if (this.rails.length === 0) throw new BrokenModule(`Rows of ${this.name} are nowhere.`)
    const orbit = orbitOf(this.rails.map(({ values }) => values[id - 1]))
    this.#orbits.set(id, orbit)
    return orbit
  }
}

/** The rail of an orbit that a module names. @throws {BrokenModule} without such a body */
export function railOf(
  { ephemeris, system }: Pick<WorldState, 'ephemeris' | 'system'>,
  { around, radius, turn = 0 }: Orbit,
  index: number,
): EquatorialOrbit {
  const parent = system.bodies.findIndex(({ name }) => name === around)
  if (parent < 0) throw new BrokenModule(`It puts a row around ${around}, which there is not.`)
  const body = system.bodies[parent]
  const rate = turnRate(equatorialMotion(body, radius))
  if (!(radius > body.radius && rate >= 1 && turn >= 0 && turn < 1)) {
    throw new BrokenModule(`It puts a row at ${radius} m around ${around}, turned by ${turn}.`)
  }
  const passed = Math.floor((turn * TURN_PARTS) / rate)
  const pole = equatorialPole(ephemeris, parent, index)
  return { kind: 'orbit', parent, radius, pole, rate, epoch: index - passed }
}

const parentState = createStateVector()

/** Where a rail is at a lattice index, relative to a body. */
export function railPlace(
  out: StateVector,
  { ephemeris }: Pick<WorldState, 'ephemeris'>,
  rail: EquatorialOrbit,
  reference: number,
  index: number,
): void {
  equatorialState(out, rail, index, 0)
  if (rail.parent === reference) return
  bodyState(parentState, ephemeris, rail.parent, reference, index, 0)
  for (let axis = 0; axis < 3; axis++) {
    out.r[axis] += parentState.r[axis]
    out.v[axis] += parentState.v[axis]
  }
}
