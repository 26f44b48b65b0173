import { EngineError, type WorldCommand } from '@orrery/engine'
import type { Control } from '@orrery/sim'
import { moduleRefusal, uuid } from '@orrery/protocol'
import * as v from 'valibot'
import { JournalError } from '../journal/journal-error.ts'
import { CommandError } from './command-error.ts'

/** What the owner of a star system is asked to do. */
export type Order =
  | {
      readonly kind: 'control'
      readonly shipId: string
      readonly control: Control
      /** a control boundary at which it is to act, see `Engine.control` */
      readonly at?: number
    }
  | {
      readonly kind: 'execute'
      readonly command: WorldCommand
      /** id of the star system that it is for, where it names no ship */
      readonly systemId?: string
      /** of the entry in the audit trail that is written with it */
      readonly audit?: AuditedAction
    }

/** Who did what, as the audit trail has it. */
export interface AuditedAction {
  readonly actor: {
    readonly playerId: string
    readonly username: string
    readonly address?: string
  }
  readonly action: string
  readonly detail: Readonly<Record<string, string | boolean>>
}

/** A command on its way from a gateway to the owner of a star system. */
export interface CommandRequest {
  /** a UUID; what is sent again under the same one acts once */
  readonly id: string
  /** it does not act after this [Unix ms] */
  readonly deadlineMs: number
  /** id of the player; none: the server itself */
  readonly actor: string | null
  /** id of a command of the same ship, which acts before this one */
  readonly after?: string
  readonly order: Order
}

/** A command that has acted and is durable. */
export interface CommandDone {
  readonly fence: number
  /** of its row in the star system's journal */
  readonly sequence: number
  /** lattice index at which it acts */
  readonly index: number
}

/** Errors that a gateway is to see as they were, by their names. */
const ERRORS = { EngineError, JournalError, CommandError } as const

type ErrorName = keyof typeof ERRORS

/** Only those of the engine have a module's words. */
type Refused = new (
  code: string,
  message: string,
  options: Pick<EngineError, 'refusal'>,
) => CommandRefusal

export type CommandRefusal = EngineError | JournalError | CommandError

const request = v.object({
  id: uuid,
  deadlineMs: v.number(),
  actor: v.nullable(uuid),
  after: v.exactOptional(uuid),
  order: v.variant('kind', [
    v.object({
      kind: v.literal('control'),
      shipId: v.string(),
      control: v.looseObject({}),
      at: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
    }),
    v.object({
      kind: v.literal('execute'),
      command: v.looseObject({ kind: v.string() }),
      systemId: v.exactOptional(v.string()),
      audit: v.exactOptional(
        v.object({
          actor: v.object({
            playerId: uuid,
            username: v.string(),
            address: v.exactOptional(v.string()),
          }),
          action: v.string(),
          detail: v.record(v.string(), v.union([v.string(), v.boolean()])),
        }),
      ),
    }),
  ]),
})

const count = v.pipe(v.number(), v.safeInteger())

const reply = v.variant('kind', [
  v.object({ kind: v.literal('done'), fence: count, sequence: count, index: count }),
  v.object({
    kind: v.literal('refused'),
    error: v.picklist(Object.keys(ERRORS) as ErrorName[]),
    code: v.string(),
    message: v.string(),
    refusal: v.exactOptional(moduleRefusal),
  }),
])

export function encodeRequest(content: CommandRequest): Uint8Array {
  return encoded(content)
}

/** @throws {CommandError} 'ERR_COMMAND_DAMAGED' */
export function decodeRequest(payload: Uint8Array): CommandRequest {
  return decoded(request, payload) as CommandRequest
}

export function encodeReply(outcome: CommandDone | CommandRefusal): Uint8Array {
  if (!(outcome instanceof Error)) return encoded({ kind: 'done', ...outcome })
  const { code, message, name } = outcome
  const refusal = 'refusal' in outcome ? outcome.refusal : undefined
  return encoded({ kind: 'refused', error: name, code, message, refusal })
}

/**
 * What became of a command.
 *
 * @throws {EngineError | JournalError | CommandError} why it has not acted, or is not known to have
 */
export function decodeReply(payload: Uint8Array): CommandDone {
  const outcome = decoded(reply, payload)
  if (outcome.kind === 'done') {
    const { fence, sequence, index } = outcome
    return { fence, sequence, index }
  }
  const { error, code, message, refusal } = outcome
  throw new (ERRORS[error] as Refused)(code, message, { refusal })
}

function encoded(content: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(content))
}

function decoded<Value>(schema: v.GenericSchema<unknown, Value>, payload: Uint8Array): Value {
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch (cause) {
    throw new CommandError('ERR_COMMAND_DAMAGED', 'A command is no JSON text.', { cause })
  }
  const result = v.safeParse(schema, content, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const message = `A command is damaged at ${v.getDotPath(issue) ?? 'itself'}: ${issue.message}.`
  throw new CommandError('ERR_COMMAND_DAMAGED', message)
}
