import { type Bus, type Subscription, subject } from '@orrery/bus'
import { EngineError } from '@orrery/engine'
import { JournalError } from '../journal/journal-error.ts'
import { CommandError } from './command-error.ts'
import type { CommandExecution } from './command-execution.ts'
import { type CommandRefusal, decodeRequest, encodeReply } from './command-message.ts'

/** The answer to a command as it came, whatever becomes of it. */
export async function answerCommand(
  payload: Uint8Array,
  carryOut: CommandExecution,
  onError: (error: unknown) => void,
): Promise<Uint8Array> {
  try {
    return encodeReply(await carryOut(decodeRequest(payload)))
  } catch (error) {
    if (isRefusal(error)) return encodeReply(error)
    onError(error)
    return encodeReply(new CommandError('ERR_COMMAND_FAILED', 'The owner of the world failed.'))
  }
}

export interface AnsweredCommands {
  readonly systemIds: readonly string[]
  /** of the claim that this process has on a star system */
  readonly fence: (systemId: string) => number
  readonly carryOut: CommandExecution
  readonly onError: (error: unknown) => void
}

/**
 * Answers commands to star systems that name the present claim of this process on each, refuses
 * those that name an earlier one, and leaves those that name a later one to its owner.
 */
export function answerCommands(
  bus: Pick<Bus, 'answer'>,
  { systemIds, fence, carryOut, onError }: AnsweredCommands,
): readonly Subscription[] {
  return systemIds.map((systemId) =>
    bus.answer(subject('cmd', systemId, '*'), async (payload, asked) => {
      const named = Number(asked.split('.').at(-1))
      if (named === fence(systemId)) return answerCommand(payload, carryOut, onError)
      const message = `The claim ${named} on ${systemId} is not the present one.`
      const fenced = new JournalError('ERR_JOURNAL_FENCED', message)
      if (named < fence(systemId)) return encodeReply(fenced)
      throw fenced
    }),
  )
}

function isRefusal(error: unknown): error is CommandRefusal {
  return (
    error instanceof EngineError || error instanceof JournalError || error instanceof CommandError
  )
}
