import type { ErrorMessage, MessageId, ServerMessage } from '@orrery/protocol'
import type { ClientClock } from '../clocks/client-clock.ts'
import { ClientError } from '../client-error.ts'

/** Commands that may wait for their answers; the server takes 40 a second. */
const PENDING_MAX = 256

/** Sent commands, each with an id of its own until its answer arrives. */
export interface PendingCommands {
  /**
   * Sends a command with a new id; resolves to its answer.
   *
   * @param extraMs  how much longer than others the answer may take
   * @throws {ClientError} the server's code, `timeout`, or what {@link PendingCommands.fail} gave
   */
  add(send: (id: number) => void, extraMs?: number): Promise<ServerMessage>
  /** resolves the command whose id an answer has, if it is pending */
  answer(message: ServerMessage): void
  /** rejects all of them */
  fail(error: ClientError): void
}

export function createPendingCommands(clock: ClientClock, usualMs: number): PendingCommands {
  const pending = new Map<MessageId, (outcome: ServerMessage | ClientError) => void>()
  // Never reused, also on a new connection: an answer finds only its own command.
  let lastId = 0
  return {
    add: (send, extraMs = 0) =>
      new Promise((resolve, reject) => {
        if (pending.size >= PENDING_MAX) {
          throw new ClientError('E004', `${PENDING_MAX} commands wait for their answers already`)
        }
        const id = ++lastId
        const timeoutMs = usualMs + extraMs
        send(id)
        const end = (outcome: ServerMessage | ClientError): void => {
          cancel()
          pending.delete(id)
          if (outcome instanceof ClientError) reject(outcome)
          else resolve(outcome)
        }
        const cancel = clock.after(timeoutMs, () => {
          end(new ClientError('timeout', `No answer to the command within ${timeoutMs} ms`))
        })
        pending.set(id, end)
      }),
    answer: (message) => {
      const end = 'id' in message && message.id !== undefined && pending.get(message.id)
      if (!end) return
      end(message.type === 'error' ? refused(message) : message)
    },
    fail: (error) => {
      for (const end of pending.values()) end(error)
    },
  }
}

function refused({ code, message, refusal }: ErrorMessage): ClientError {
  return new ClientError(code, message, { refusal })
}
