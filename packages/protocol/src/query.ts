import * as v from 'valibot'

/** Schema of a whole number in a URL's query, in decimal digits. */
export function queryInteger(min: number, max: number): v.GenericSchema<string, number> {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.string(message),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.number(),
    v.integer(),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}
