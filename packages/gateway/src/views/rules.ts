import type { Rule } from '@orrery/engine'
import {
  type Places,
  type RuleAction,
  type RuleCondition,
  type RuleEntry,
  type RuleRequest,
  controlOf,
} from '@orrery/protocol'
import { type Control, latticeFromUtc } from '@orrery/sim'
import { randomUUID } from 'node:crypto'
import { placesOf } from './places.ts'
import type { ServedEngine } from './served-engine.ts'

/** A player and his ship. */
export interface Pilot {
  readonly accountId: string
  readonly shipId: string
}

/** What a rule is to its player, beside its name and state. */
type Source = Pick<RuleEntry, 'condition' | 'action' | 'module_command'>

/** @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT' */
export async function rulesOf(engine: ServedEngine, { shipId }: Pilot): Promise<RuleEntry[]> {
  const rules = await engine.whenSettled(() => engine.rules(shipId))
  return rules.map(ruleEntry)
}

/**
 * Makes a rule of a ship, or replaces the one with an id.
 *
 * @throws {EngineError} with a `pilotErrorCode`, when it is refused
 */
export async function saveRule(
  engine: ServedEngine,
  pilot: Pilot,
  request: RuleRequest,
  ruleId?: string,
): Promise<RuleEntry> {
  const { accountId: actor, shipId } = pilot
  const { name, once = false, armed = true, condition, module_command: ordered } = request
  const { id: _, at: __, ...action } = { id: undefined, at: undefined, ...request.action }
  const places = placesOf(engine, shipId)
  const order = orderOf(action, places)
  engine.requireReachable(shipId, order ?? {})
  const rule: Rule = {
    ruleId: ruleId?.toLowerCase() ?? randomUUID(),
    name,
    once,
    armed,
    condition: conditionOf(condition, places),
    ...(order && { order }),
    ...(ordered && {
      command: { module: ordered.module, command: ordered.command, body: ordered.values ?? {} },
    }),
    source: JSON.stringify({
      condition,
      action,
      ...(ordered && { module_command: ordered }),
    } satisfies Source),
  }
  const kind = ruleId === undefined ? 'create_rule' : 'change_rule'
  await engine.execute({ kind, shipId, rule }, { actor })
  return ruleEntry(rule)
}

/** @throws {EngineError} 'ERR_RULE_UNKNOWN', and what {@link saveRule} refuses */
export async function deleteRule(
  engine: ServedEngine,
  { accountId: actor, shipId }: Pilot,
  ruleId: string,
): Promise<void> {
  await engine.execute({ kind: 'remove_rule', shipId, ruleId: ruleId.toLowerCase() }, { actor })
}

function ruleEntry({ ruleId, name, once, armed, source }: Rule): RuleEntry {
  return { rule_id: ruleId, name, once, armed, ...(JSON.parse(source) as Source) }
}

function orderOf(action: RuleAction, places: Places): Control | undefined {
  return action.type === 'event' ? undefined : controlOf(action, places)
}

function conditionOf(condition: RuleCondition, places: Places): Rule['condition'] {
  const { type, above, below, apsis, game_time: time, outcome = 'any' } = condition
  const { column, module } = condition
  if (type === 'maneuver_end') return { kind: type, outcome }
  if (type === 'apsis') {
    return apsis === 'periapsis' ? { kind: type, above: 0 } : { kind: type, below: 0 }
  }
  if (type === 'game_time') {
    return { kind: 'time', above: Math.ceil(latticeFromUtc(Date.parse(time ?? ''))) }
  }
  return {
    kind: type,
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
    ...(module !== undefined && { module }),
    ...(column !== undefined && { column }),
    ...targetOf(condition, places),
  }
}

function targetOf(
  { body, ship_id: ship, station_id: station, jumpgate_id: gate }: RuleCondition,
  places: Places,
): Pick<Rule['condition'], 'body' | 'ship' | 'stationId' | 'jumpgateId'> {
  if (body !== undefined) return { body: places.body(body, 'condition.body') }
  if (ship !== undefined) return { ship: places.ship(ship, 'condition.ship_id') }
  if (station !== undefined) return { stationId: places.anchorage(station, 'condition.station_id') }
  if (gate === undefined) return {}
  return { jumpgateId: places.jumpgate(gate, 'condition.jumpgate_id') }
}
