import { type Bus, subject } from '@orrery/bus'
import {
  type CommandDone,
  type CommandRequest,
  decodeReply,
  encodeRequest,
} from './command-message.ts'

/** A star system under one owner. */
export interface OwnedSystem {
  readonly systemId: string
  readonly fence: number
}

/** Where the owner of a system takes commands; one that has lost the system gets none. */
export function commandSubject({ systemId, fence }: OwnedSystem): string {
  return subject('cmd', systemId, fence)
}

/**
 * Asks the owner of a system to carry out a command, once. After a {@link BusError}, or
 * 'ERR_JOURNAL_UNKNOWN', the same request may be sent again, to a later owner, too.
 *
 * @throws {BusError | EngineError | JournalError | CommandError}
 */
export async function sendCommand(
  bus: Bus,
  system: OwnedSystem,
  request: CommandRequest,
  timeoutMs: number,
): Promise<CommandDone> {
  const payload = encodeRequest(request)
  return decodeReply(await bus.request(commandSubject(system), payload, { timeoutMs }))
}
