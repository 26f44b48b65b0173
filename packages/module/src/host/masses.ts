import { PAYLOAD_MAX } from '@orrery/sim'
import { type Columns, f64 } from '../column.ts'
import type { OwnValues } from '../declaration.ts'
import type { GameModule } from '../define-module.ts'
import {
  BrokenModule,
  type ColumnMemory,
  type RowView,
  Writes,
  columnMemories,
  rowView,
} from './memory.ts'

/** No column of a module has a space in its name. */
const NAME = 'its mass'

/** What a module gives ships to carry: a column that follows from its own. */
export class Masses {
  readonly memory: ColumnMemory
  readonly #mass: NonNullable<GameModule['mass']>
  readonly #of: ReadonlySet<ColumnMemory>
  readonly #ship: RowView
  #changed: number[] = []

  constructor(
    mass: NonNullable<GameModule['mass']>,
    ships: readonly ColumnMemory[],
    slots: number,
  ) {
    this.#mass = mass
    this.#of = new Set(ships.filter(({ column }) => column.kind !== 'row'))
    this.#ship = rowView([...this.#of], new NoWrites(), () => false)
    ;[this.memory] = columnMemories({ [NAME]: f64('kg', { seenBy: 'operator' }) }, slots)
  }

  /** Weighs the ships that the present call has written. @throws {BrokenModule} */
  weigh(writes: Writes): void {
    for (const slot of writes.placesIn(this.#of)) {
      this.#ship.aim(slot)
      const kg: unknown = this.#mass(this.#ship.view as OwnValues<Columns>)
      // NaN is in no range.
      if (!(typeof kg === 'number' && kg >= 0 && kg <= PAYLOAD_MAX)) {
        throw new BrokenModule(`Its ship carries ${String(kg)} kg, from 0 to ${PAYLOAD_MAX}.`)
      }
      if (kg === this.memory.values[slot]) continue
      writes.write(this.memory, slot, kg + 0)
      this.#changed.push(slot)
    }
    this.#ship.aim(-1)
  }

  /** Slots of the ships that carry more or less since the last call. */
  take(): readonly number[] {
    const taken = this.#changed
    this.#changed = []
    return taken
  }
}

class NoWrites extends Writes {
  override write(): never {
    throw new BrokenModule('It writes to a ship that it weighs.')
  }
}
