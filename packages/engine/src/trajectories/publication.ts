import { ARC_COLUMNS, BURN_COLUMNS, HULL_COLUMNS, NEXT_STEP_COLUMNS } from '@orrery/sim'
import { Rows } from './rows.ts'

const ROWS = 64

/**
 * One round of records of a star system; its rows are used again by the next. A record replaces
 * what was sent of its ship from the start of the record on.
 */
export class Publication {
  /** rises by one */
  number: number
  /** published lattice index */
  index = 0
  readonly steps: Rows<typeof NEXT_STEP_COLUMNS> = new Rows(NEXT_STEP_COLUMNS, ROWS)
  readonly burns: Rows<typeof BURN_COLUMNS> = new Rows(BURN_COLUMNS, ROWS)
  readonly arcs: Rows<typeof ARC_COLUMNS> = new Rows(ARC_COLUMNS, ROWS)
  readonly hulls: Rows<typeof HULL_COLUMNS> = new Rows(HULL_COLUMNS, ROWS)

  /** @param number  of the one before the first */
  constructor(number: number) {
    this.number = number
  }

  /** Begins the next one. */
  begin(index: number): void {
    this.number++
    this.index = index
    this.steps.count = this.burns.count = this.arcs.count = this.hulls.count = 0
  }
}
