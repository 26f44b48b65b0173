/** Schemas of what commands are sent with: valibot's, and two more. */
import * as v from 'valibot'
import { rowId } from './row-id.ts'

// oxlint-disable-next-line import/export -- ours add to valibot's
export * from 'valibot'

/** The id of a row of a table. */
export function id(): v.GenericSchema<unknown, number> {
  return rowId(v.pipe(v.number(), v.safeInteger(), v.minValue(1)))
}

/** A finite number above 0. */
export function positive(): v.GenericSchema<unknown, number> {
  return v.pipe(v.number(), v.finite(), v.gtValue(0))
}
