import * as v from 'valibot'
import { ClientError } from '../client-error.ts'
import type { Exchange } from '../requests/exchange.ts'

/**
 * Why the server surely refuses a handshake: `origin_refused`, or E005 for the token. The
 * platform's socket does not say why one failed: a refusal looks like a server that is down.
 */
export async function handshakeRefusal(
  exchange: Exchange,
  token: string,
): Promise<ClientError | undefined> {
  // One route for each type of token; the ship's answers for a deleted account with another code.
  const answers = await Promise.allSettled([
    exchange('GET /api/player/rules', v.unknown(), { token }),
    exchange('GET /api/admin/status', v.unknown(), { token }),
  ])
  const codes = answers.map((answer) =>
    answer.status === 'rejected' && answer.reason instanceof ClientError
      ? answer.reason.code
      : undefined,
  )
  if (codes.every((code) => code === 'E005')) {
    return new ClientError('E005', 'The server refuses the token')
  }
  return codes.includes('origin_refused')
    ? new ClientError('origin_refused', 'The server does not allow the origin of this page')
    : undefined
}
