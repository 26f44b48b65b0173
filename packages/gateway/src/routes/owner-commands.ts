import {
  type CommandExecution,
  CommandError,
  type CommandRefusal,
  JournalError,
  decodeRequest,
  encodeReply,
} from '@orrery/game'
import { EngineError } from '@orrery/engine'
import { type Logger, type Secret, textBody } from '@orrery/http'
import { bearerToken } from '@orrery/protocol'
import { Hono } from 'hono'
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** Where gateways send commands to the owner of the world. */
export const COMMANDS_PATH = '/internal/commands'

/** Of a command, with the rules of a ship. */
const BYTES_MAX = 262_144

/** What gateways show the owner, which has the same key. */
export function gatewayToken(tokenKey: Secret): string {
  return createHmac('sha256', tokenKey.reveal()).update('orrery gateway').digest('base64url')
}

/** Takes commands of gateways; for all others there is no such route. */
export function ownerCommandRoutes({
  config: { tokenKey },
  carryOut,
  logger,
}: {
  readonly config: { readonly tokenKey: Secret }
  readonly carryOut: CommandExecution
  readonly logger: Logger
}): Hono {
  const routes = new Hono()
  const wanted = digest(gatewayToken(tokenKey))
  // No route of the API, so that its document has none of it.
  routes.use(COMMANDS_PATH, async (context, next) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    if (context.req.method !== 'POST' || !timingSafeEqual(digest(token), wanted)) return next()
    const text = await textBody(context, 'application/json', BYTES_MAX)
    const reply = await answered(new TextEncoder().encode(text), carryOut, logger)
    return context.body(new Uint8Array(reply), 200, { 'Content-Type': 'application/json' })
  })
  return routes
}

/** The answer to a command, whatever becomes of it. */
async function answered(
  payload: Uint8Array,
  carryOut: CommandExecution,
  logger: Logger,
): Promise<Uint8Array> {
  try {
    return encodeReply(await carryOut(decodeRequest(payload)))
  } catch (error) {
    if (isRefusal(error)) return encodeReply(error)
    logger.error({ err: error }, 'a command of a gateway failed')
    return encodeReply(new CommandError('ERR_COMMAND_FAILED', 'The owner of the world failed.'))
  }
}

function isRefusal(error: unknown): error is CommandRefusal {
  return (
    error instanceof EngineError || error instanceof JournalError || error instanceof CommandError
  )
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
