import { byTier } from '@orrery/testkit/tier'

const STEP = byTier({ gate: 9, night: 1 })

/**
 * The values that the n-th of many routes or fields is tried with: all of them at night, in the
 * gate every ninth, so that nine in a row have them all.
 */
export function inTurn<Value>(values: readonly Value[], n: number): readonly Value[] {
  return values.filter((_, i) => (i + n) % STEP === 0)
}
