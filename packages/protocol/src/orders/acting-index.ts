import { CONTROL_QUANTA } from '@orrery/sim'
import * as v from 'valibot'

/** What an order that acts at an index has, instead of at once. */
export interface ActingIndex {
  /** quanta of 1/64 s from J2000.0 TDB: a control boundary at most 2 s (real or game) ahead */
  readonly at?: number
}

export const AT: string = `at must be a lattice index, a multiple of ${CONTROL_QUANTA}`

/** Schema of `at`. */
export const actingIndex: v.GenericSchema<number> = v.pipe(
  v.number(),
  v.safeInteger(),
  v.multipleOf(CONTROL_QUANTA),
)
