import { CHUNK_SLOTS, type ColumnViews, type ShipColumns } from '@orrery/sim'
import { type OpenStep, STEP } from './open-step.ts'
import { table } from './rows.ts'

const COLUMNS = [
  { name: 'number', type: 'u32', components: 1, unit: 'ship; 0 none' },
  { name: 'condition', type: 'u8', components: 1, unit: 'as of ships' },
  { name: 'start', type: 'f64', components: 1, unit: 'quanta; NaN is unlike every step' },
  { name: 'end', type: 'f64', components: 1, unit: 'quanta' },
  { name: 'values', type: 'f64', components: 9, unit: 'of the end, see `STEP`' },
] as const

/** Doubles of one end of a step. */
const END_DOUBLES = 9

/** What of the end of a step the next one begins with, to the bit; nothing after a cut. */
export type Link = 'nothing' | 'motion' | 'acceleration'

/** The last step of each ship that was sent, by slot. */
export class SentSteps {
  readonly columns: ColumnViews<typeof COLUMNS>

  constructor(slots: number) {
    this.columns = table(COLUMNS, slots)
  }

  /**
   * Lists slots of a chunk whose open step is another than was sent; returns how many. One that was
   * sent when it began is not looked into.
   *
   * @param out       slots
   * @param begin     first slot of the chunk
   * @param followed  by slot, 1 for those that are looked at; undefined for all
   */
  changed(
    out: Int32Array,
    ships: ShipColumns,
    begin: number,
    followed: Uint8Array | undefined,
  ): number {
    const { condition, start } = this.columns
    const { condition: conditionNow, stepStart } = ships
    let count = 0
    for (let slot = begin; slot < begin + CHUNK_SLOTS; slot++) {
      if (followed?.[slot] === 0) continue
      if (stepStart[slot] === start[slot] && conditionNow[slot] === condition[slot]) continue
      out[count++] = slot
    }
    return count
  }

  link(slot: number, step: OpenStep): Link {
    const { end, number, start, values } = this.columns
    if (number[slot] !== step.number || end[slot] !== step.start) return 'nothing'
    // A frozen ship has no end that another step could follow.
    if (!(end[slot] > start[slot]) || !(step.end > step.start)) return 'nothing'
    const at = END_DOUBLES * slot
    for (let i = 0; i < STEP.acceleration; i++) {
      if (values[at + i] !== step.values[i]) return 'nothing'
    }
    for (let i = STEP.acceleration; i < END_DOUBLES; i++) {
      if (values[at + i] !== step.values[i]) return 'motion'
    }
    return 'acceleration'
  }

  /** Whether a step is the one that was sent, accelerations at least as 32-bit floats. */
  isSent(slot: number, step: OpenStep): boolean {
    const { condition, end, number, start, values } = this.columns
    if (number[slot] !== step.number || condition[slot] !== step.condition) return false
    if (start[slot] !== step.start || end[slot] !== step.end) return false
    for (let i = 0; i < END_DOUBLES; i++) {
      const sent = values[END_DOUBLES * slot + i]
      const value = step.values[STEP.endPosition + i]
      if (sent === value) continue
      if (i < STEP.acceleration || sent !== Math.fround(value)) return false
    }
    return true
  }

  /**
   * Notes a step as sent.
   *
   * @param isRounded  its accelerations are sent as 32-bit floats
   */
  note(slot: number, step: OpenStep, isRounded: boolean): void {
    const { condition, end, number, start, values } = this.columns
    number[slot] = step.number
    condition[slot] = step.condition
    start[slot] = step.start
    end[slot] = step.end
    for (let i = 0; i < END_DOUBLES; i++) {
      const value = step.values[STEP.endPosition + i]
      const isShort = isRounded && i >= STEP.acceleration
      values[END_DOUBLES * slot + i] = isShort ? Math.fround(value) : value
    }
  }

  /** Notes that a slot has no ship. */
  clear(slot: number): void {
    const { condition, end, number, start } = this.columns
    number[slot] = condition[slot] = start[slot] = end[slot] = 0
  }
}
