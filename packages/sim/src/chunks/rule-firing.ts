import { noteEvent } from '../state/events.ts'
import { isDocked } from '../ships/docked.ts'
import type { Flight } from '../ships/flight.ts'
import { applyOrder } from './orders.ts'
import { RULE_BITS } from '../state/rule-bits.ts'

/**
 * Executes what the rules of due ships that fire at n order, by their places, and disarms those
 * that fire once. It can be repeated until the ship's next step is searched.
 *
 * @param count  entries of `flight.due`, which stand at n
 */
export function fireRules(flight: Flight, count: number, n: number): void {
  const { due, state } = flight
  const { actions, rules, ships } = state
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (ships.ruleCount[slot] === 0 || ships.ruleAt[slot] !== n) continue
    const fires = ships.ruleFires[slot]
    const row = ships.ruleRow[slot]
    const wasDocked = isDocked(ships, slot)
    let spent = 0
    for (let place = 0; place < ships.ruleCount[slot]; place++) {
      const bit = RULE_BITS[place]
      if ((fires & bit) === 0) continue
      if (actions.orderFields[row + place] > 0) applyOrder(flight, actions, row + place, slot, n)
      if (rules.ruleOnce[row + place] === 1) spent |= bit
    }
    noteEvent(state, 'rule', slot, n, ships.reference[slot], wasDocked ? -fires : fires)
    ships.ruleArmed[slot] &= ~spent
  }
}
