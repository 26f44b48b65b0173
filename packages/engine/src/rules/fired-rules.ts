import { RULE_BITS, type ShipEvent } from '@orrery/sim'
import type { World } from '../world/world.ts'
import type { Rule } from '../orders/rule.ts'

/** The rules that an event of kind 'rule' is of, by their places. */
export function firedRules(
  { rules }: World,
  { shipNumber, distance: bits }: ShipEvent,
): readonly Rule[] {
  const list = rules.ofShip.get(shipNumber) ?? []
  return list.filter((_, place) => (Math.abs(bits) & RULE_BITS[place]) !== 0)
}
