import { RULES_PER_SHIP } from './layout.ts'

/** The bit of each of a ship's rules, by its place. */
export const RULE_BITS: Uint32Array = new Uint32Array(RULES_PER_SHIP)

for (let place = 0, bit = 1; place < RULES_PER_SHIP; place++, bit *= 2) RULE_BITS[place] = bit
