import { EngineError } from '@orrery/engine'
import { ENGINE_REFUSALS, JournalError } from '@orrery/game'
import {
  type AcceptedMessage,
  type ClientMessage,
  type ErrorCode,
  type MessageId,
  type RuleSetMessage,
  type RulesGetMessage,
  type ServerMessage,
  controlOf,
} from '@orrery/protocol'
import { placesOf } from '../views/places.ts'
import { type Pilot, deleteRule, rulesOf, saveRule } from '../views/rules.ts'
import { timestamp } from '../views/wire-views.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** What a pilot sends to a ship. */
export type PilotCommand = Exclude<
  ClientMessage,
  {
    type:
      | 'ping'
      | 'subscribe'
      | 'resume'
      | 'predict'
      | 'seed_request'
      | 'say'
      | 'vote'
      | 'module_command'
  }
>

/** The code that a pilot is sent for an error; undefined for an unexpected one. */
export function pilotErrorCode(error: unknown): ErrorCode | undefined {
  if (error instanceof JournalError) return 'E008'
  return error instanceof EngineError ? ENGINE_REFUSALS[error.code]?.code : undefined
}

/**
 * Carries out a pilot's command; returns the answer.
 *
 * @param onOrdered  called when an order of a ship is stored
 * @throws {EngineError | JournalError} with a {@link pilotErrorCode}, when it is refused
 */
export async function runPilotCommand(
  command: PilotCommand,
  pilot: Pilot,
  engine: ServedEngine,
  onOrdered: (shipId: string) => void,
): Promise<ServerMessage | undefined> {
  const { accountId: actor, shipId } = pilot
  const { id } = command
  if (command.type === 'ship_rename') {
    await engine.execute({ kind: 'rename_ship', shipId, name: command.name }, { actor })
    return { type: 'ship_renamed', ...(id !== undefined && { id }), name: command.name }
  }
  if (command.type === 'jump') {
    const jumpgateId = placesOf(engine, shipId).jumpgate(command.jumpgate_id, 'jumpgate_id')
    const jumped = await engine.execute({ kind: 'jump_ship', shipId, jumpgateId }, { actor })
    return accepted(id, jumped)
  }
  if (command.type === 'rules_get' || command.type === 'rule_set') {
    return ruleAnswer(command, pilot, engine)
  }
  if (command.type === 'rule_delete') {
    await deleteRule(engine, pilot, command.rule_id)
    return { type: 'rule_deleted', ...(id !== undefined && { id }), rule_id: command.rule_id }
  }
  const control = controlOf(command, placesOf(engine, shipId))
  const { index, kept } = await engine.steer(shipId, control, actor, command.at)
  // No client is shown an order that may not be there after a crash.
  kept.then(() => onOrdered(shipId)).catch(() => undefined)
  if (id !== undefined) await kept
  const answer = accepted(id, index)
  return answer && command.at !== undefined ? { ...answer, index } : answer
}

async function ruleAnswer(
  command: RulesGetMessage | RuleSetMessage,
  pilot: Pilot,
  engine: ServedEngine,
): Promise<ServerMessage> {
  const echo = command.id !== undefined && { id: command.id }
  if (command.type === 'rules_get') {
    return { type: 'rules', ...echo, rules: await rulesOf(engine, pilot) }
  }
  const { rule_id: ruleId, ...request } = command
  return { type: 'rule', ...echo, rule: await saveRule(engine, pilot, request, ruleId) }
}

/** Nothing for a message without an id. */
export function accepted(id: MessageId | undefined, index: number): AcceptedMessage | undefined {
  return id === undefined ? undefined : { type: 'accepted', id, game_time: timestamp(index) }
}
