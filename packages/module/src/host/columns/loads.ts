import { type Load, PAYLOAD_MAX } from '@orrery/sim'
import { type Columns, f64 } from '../../column.ts'
import type { OwnValues } from '../../declaration.ts'
import type { GameModule } from '../../define-module.ts'
import { type Aim, BrokenModule, type ColumnMemory, columnMemories, rowView } from './memory.ts'
import { Writes } from './writes.ts'

// No column of a module has a space in its name.
export const MASS_NAME = 'its mass'
export const THRUST_NAME = 'its thrust'

/** A number that a module gives each ship, by its columns. */
interface Given {
  readonly memory: ColumnMemory
  readonly of: (ship: OwnValues<Columns>) => unknown
  readonly most: number
  readonly text: (value: unknown) => string
}

/** What a module gives ships to carry, and leaves them of their thrust. */
export class Loads {
  /** columns that follow from its own */
  readonly memories: readonly ColumnMemory[]
  readonly #mass: Given | undefined
  readonly #thrust: Given | undefined
  readonly #given: readonly Given[]
  /** columns that these follow from */
  readonly #of: readonly ColumnMemory[]
  readonly #here: Aim = { place: -1 }
  readonly #ship: OwnValues<Columns>

  /** @param hidden  columns of ships whose values are not known here, by name */
  constructor(
    { mass, thrustLimit }: Pick<GameModule, 'mass' | 'thrustLimit'>,
    ships: readonly ColumnMemory[],
    slots: number,
    hidden: Readonly<Record<string, () => never>> = {},
  ) {
    this.#of = ships.filter(({ column }) => column.kind !== 'row')
    const view = rowView(this.#here, this.#of, new NoWrites(), () => false, hidden)
    this.#ship = view as OwnValues<Columns>
    const memory = (name: string, first: number): ColumnMemory => {
      return columnMemories({ [name]: f64('', { seenBy: 'operator', default: first }) }, slots)[0]
    }
    this.#mass = mass && {
      memory: memory(MASS_NAME, 0),
      of: mass,
      most: PAYLOAD_MAX,
      text: (kg) => `carries ${String(kg)} kg`,
    }
    this.#thrust = thrustLimit && {
      memory: memory(THRUST_NAME, 1),
      of: thrustLimit,
      most: 1,
      text: (part) => `has ${String(part)} of its thrust`,
    }
    this.#given = [this.#mass, this.#thrust].filter((one) => one !== undefined)
    this.memories = this.#given.map((one) => one.memory)
  }

  /** [kg] */
  mass(slot: number): number {
    return this.#mass?.memory.values[slot] ?? 0
  }

  /** 0 to 1 */
  thrust(slot: number): number {
    return this.#thrust?.memory.values[slot] ?? 1
  }

  /** Takes over what it gives a ship. */
  put(slot: number, { mass, thrust }: { readonly mass: number; readonly thrust: number }): void {
    if (this.#mass) this.#mass.memory.values[slot] = mass
    if (this.#thrust) this.#thrust.memory.values[slot] = thrust
  }

  /** Weighs the ships that were written since they were weighed. @throws {BrokenModule} */
  weigh(writes: Writes): void {
    if (this.#given.length === 0) return
    for (let i = 0; i < this.#of.length; i++) {
      const { undo } = this.#of[i]
      while (undo.weighed < undo.count) this.#weighShip(writes, undo.places[undo.weighed++])
    }
  }

  #weighShip(writes: Writes, slot: number): void {
    this.#here.place = slot
    for (let i = 0; i < this.#given.length; i++) {
      const { memory, most, of, text } = this.#given[i]
      const value = of(this.#ship)
      // NaN is in no range.
      if (!(typeof value === 'number' && value >= 0 && value <= most)) {
        throw new BrokenModule(`Its ship ${text(value)}, from 0 to ${most}.`)
      }
      writes.write(memory, slot, value + 0)
    }
    this.#here.place = -1
  }
}

/** What all modules give a ship. */
export function loadOf(all: readonly { readonly loads: Loads }[], slot: number): Load {
  let payload = 0
  let thrust = 1
  for (let i = 0; i < all.length; i++) {
    payload += all[i].loads.mass(slot)
    thrust *= all[i].loads.thrust(slot)
  }
  return { payload, thrust }
}

class NoWrites extends Writes {
  override write(): never {
    throw new BrokenModule('It writes to a ship that it weighs.')
  }
}
