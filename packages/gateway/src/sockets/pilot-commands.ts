import {
  type Control,
  type Engine,
  EngineError,
  type EngineErrorCode,
  requireManeuver,
} from '@orrery/engine'
import { JournalError } from '@orrery/game'
import type {
  AcceptedMessage,
  ClientMessage,
  ControlMessage,
  ErrorCode,
  MessageId,
  ServerMessage,
} from '@orrery/protocol'
import { timestamp } from '../wire-views.ts'
import { isFlown, orderedDocking, orderedManeuver } from './ordered-maneuver.ts'

/** What a pilot sends to a ship. */
export type PilotCommand = Exclude<
  ClientMessage,
  { type: 'ping' | 'subscribe' | 'resume' | 'predict' }
>

/** The engine's refusals as codes of the protocol. */
const ENGINE_CODES: ReadonlyMap<EngineErrorCode, ErrorCode> = new Map<EngineErrorCode, ErrorCode>([
  ['ERR_SHIP_UNKNOWN', 'E006'],
  ['ERR_IN_TRANSIT', 'E003'],
  ['ERR_COMMANDS_PENDING', 'E004'],
  ['ERR_CONTROL', 'E001'],
  ['ERR_PREDICTION', 'E001'],
  ['ERR_PREDICTIONS_PENDING', 'E004'],
  ['ERR_WATCHERS', 'E004'],
  ['ERR_BODY_UNKNOWN', 'E001'],
  ['ERR_STATION_UNKNOWN', 'E003'],
  ['ERR_NO_MANEUVER', 'E003'],
  ['ERR_JUMPGATE_UNKNOWN', 'E003'],
  ['ERR_JUMP', 'E003'],
  ['ERR_DOCKED', 'E003'],
  ['ERR_NOT_DOCKED', 'E003'],
  ['ERR_STOPPED', 'E008'],
  ['ERR_TICK_BROKEN', 'E008'],
])

/** The code that a pilot is sent for an error; undefined for an unexpected one. */
export function pilotErrorCode(error: unknown): ErrorCode | undefined {
  if (error instanceof JournalError) return 'E008'
  return error instanceof EngineError ? ENGINE_CODES.get(error.code) : undefined
}

/**
 * Carries out a pilot's command; returns the answer.
 *
 * @throws {EngineError | JournalError} with a {@link pilotErrorCode}, when it is refused
 */
export async function runPilotCommand(
  command: PilotCommand,
  { accountId: actor, shipId }: { readonly accountId: string; readonly shipId: string },
  engine: Engine,
): Promise<ServerMessage | undefined> {
  const { id } = command
  if (command.type === 'ship_rename') {
    await engine.execute({ kind: 'rename_ship', shipId, name: command.name }, { actor })
    return { type: 'ship_renamed', ...(id !== undefined && { id }), name: command.name }
  }
  if (command.type === 'jump') {
    const jumpgateId = command.jumpgate_id.toLowerCase()
    const jumped = await engine.execute({ kind: 'jump_ship', shipId, jumpgateId }, { actor })
    return accepted(id, jumped)
  }
  if (command.type === 'maneuver_abort') requireManeuver(engine.universe, shipId)
  const { index, kept } = engine.control(shipId, controlOf(command, shipId, engine), actor)
  if (id !== undefined) await kept
  return accepted(id, index)
}

/** Nothing for a message without an id. */
function accepted(id: MessageId | undefined, index: number): AcceptedMessage | undefined {
  return id === undefined ? undefined : { type: 'accepted', id, game_time: timestamp(index) }
}

export type ShipControl = Exclude<PilotCommand, { type: 'ship_rename' | 'jump' }>

/** The control order of a command; a maneuver is one, too. */
export function controlOf(command: ShipControl, shipId: string, engine: Engine): Control {
  if (command.type === 'maneuver_abort') return { pointing: 'rest', abort: true }
  if (command.type === 'undock') return { undock: true }
  if (command.type === 'dock') {
    return { maneuver: orderedDocking(command.station_id, shipId, engine) }
  }
  if (command.type === 'maneuver_start') {
    if (command.maneuver === 'kill_rotation') return { pointing: 'rest' }
    if (isFlown(command)) return { maneuver: orderedManeuver(command, shipId, engine) }
  }
  const { attitude, pointing, target_ship_id: targetId } = command
  return {
    ...(command.type === 'control' && plainControl(command)),
    ...(attitude && { attitude: [attitude.w, attitude.x, attitude.y, attitude.z] as const }),
    ...(pointing && { pointing }),
    ...(targetId !== undefined && { target: engine.shipNumber(shipId, targetId.toLowerCase()) }),
  }
}

/** What a control command has beside an attitude or a pointing. */
function plainControl({
  thrust_level: thrustLevel,
  delta_v: deltaV,
  duration: seconds,
  wheel_unloading: unloading,
}: ControlMessage): Control {
  return {
    ...(thrustLevel !== undefined && { thrustLevel }),
    ...(deltaV !== undefined && { deltaV }),
    ...(seconds !== undefined && { seconds }),
    ...(unloading !== undefined && { unloading }),
  }
}
