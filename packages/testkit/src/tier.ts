/** Which of the tests run: those of the gate, or the long forms of the same laws. */

/** `scripts/orrery test:night` sets it. */
export const IS_NIGHT: boolean = process.env['TEST_TIER'] === 'night'

/** A count, a length or a list of the tier that runs. */
export function byTier<Value>(values: { readonly gate: Value; readonly night: Value }): Value {
  return IS_NIGHT ? values.night : values.gate
}

/** How many times as long as on a free machine a test may take: `TEST_PATIENCE`, 1 or more. */
export function testPatience(): number {
  const given = process.env['TEST_PATIENCE'] || '1'
  const patience = Number(given)
  if (!(patience >= 1 && patience <= 100)) {
    throw new Error(`TEST_PATIENCE is ${given}; it is a number from 1 to 100.`)
  }
  return patience
}
