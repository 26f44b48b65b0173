import * as v from 'valibot'
import { ClientError } from './client-error.ts'
import type { Exchange } from './exchange.ts'

/**
 * Whether the server surely refuses a token. The platform's socket does not say why a handshake
 * failed: a token that is no longer good looks like a server that is down.
 */
export async function isTokenRefused(exchange: Exchange, token: string): Promise<boolean> {
  // One route for each type of token. A change of password without passwords changes nothing, but
  // the token is checked first; the ship's route answers for a deleted account with another code.
  const answers = await Promise.allSettled([
    exchange('PUT /api/account/password', v.unknown(), { token, body: {} }),
    exchange('GET /api/admin/status', v.unknown(), { token }),
  ])
  return answers.every(
    (answer) =>
      answer.status === 'rejected' &&
      answer.reason instanceof ClientError &&
      answer.reason.code === 'E005',
  )
}
