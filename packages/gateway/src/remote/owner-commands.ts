import { type CommandExecution, answerCommand } from '@orrery/game'
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
    const onError = (error: unknown): void => {
      logger.error({ err: error }, 'a command of a gateway failed')
    }
    const reply = await answerCommand(new TextEncoder().encode(text), carryOut, onError)
    return context.body(new Uint8Array(reply), 200, { 'Content-Type': 'application/json' })
  })
  return routes
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
