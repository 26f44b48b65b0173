import {
  CONDITION_KINDS,
  type ConditionKind,
  type Flight,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  type Pointing,
  RULE_BITS,
  TARGETS,
  type TargetKind,
  USE_CONDITION,
  changeShip,
  heldAtStart,
} from '@orrery/sim'

/** A rule as tests write it: what it measures, where, and what it orders. */
export interface TestRule {
  readonly kind: ConditionKind
  readonly above?: number
  readonly below?: number
  readonly target?: TargetKind
  /** slot of the ship measured to */
  readonly ship?: number
  readonly once?: boolean
  readonly thrustLevel?: number
  readonly pointing?: Pointing
}

/** Rows of the rule table of each ship's slot: tests use few slots. */
const ROWS = 32

/** Gives a ship its rules at an index at which its flight stands. */
export function setRules(
  flight: Flight,
  slot: number,
  rules: readonly TestRule[],
  n: number,
): void {
  const { ships } = flight.state
  const first = ROWS * (slot % 256)
  changeShip(flight, slot, n, () => {
    ships.ruleRow[slot] = first
    ships.ruleCount[slot] = rules.length
    ships.ruleArmed[slot] = rules.reduce((bits, _, place) => bits + RULE_BITS[place], 0)
    ships.ruleWatching[slot] = 0
    for (const [place, rule] of rules.entries()) writeRule(flight, slot, place, first, rule)
    ships.ruleHeld[slot] = heldAtStart(flight, slot)
    ships.ruleEndHeld[slot] = ships.ruleHeld[slot]
    ships.ruleAt[slot] = 0
  })
}

function writeRule(
  { state }: Flight,
  slot: number,
  place: number,
  first: number,
  rule: TestRule,
): void {
  const { actions, rules, ships, sightings } = state
  const { kind, above, below = NaN, target = 'none', ship, once, thrustLevel } = rule
  const { pointing } = rule
  const row = first + place
  rules.whenKind[row] = CONDITION_KINDS.indexOf(kind)
  rules.whenTargetKind[row] = TARGETS.indexOf(target)
  rules.whenAbove[row] = above === undefined ? 0 : 1
  rules.whenValue[row] = above ?? below
  rules.whenTarget[row] = 0
  rules.ruleOnce[row] = once ? 1 : 0
  actions.orderFields[row] =
    (thrustLevel === undefined ? 0 : ORDERS_THRUST) + (pointing ? ORDERS_POINTING : 0)
  actions.orderThrustLevel[row] = thrustLevel ?? 0
  actions.orderPointing[row] = pointing ? POINTINGS.indexOf(pointing) : 0
  if (ship === undefined) return
  rules.whenSighting[row] = row
  ships.ruleWatching[slot] += RULE_BITS[place]
  sightings.watcher[row] = slot
  sightings.watched[row] = ship
  sightings.watchedNumber[row] = ships.shipNumber[ship]
  sightings.sightedAt[row] = -1
  sightings.sightingUse[row] = USE_CONDITION + place
}
