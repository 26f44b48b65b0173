import * as v from 'valibot'

// JSON has no Infinity, but the number 1e400 parses to one.
export const real: v.GenericSchema<number> = v.pipe(v.number(), v.finite())

/** Above 0. */
export const positive: v.GenericSchema<number> = v.pipe(v.number(), v.finite(), v.gtValue(0))

/** A whole number from 0 on. */
export const count: v.GenericSchema<number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
