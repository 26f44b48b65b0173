import { systemClock } from '@orrery/engine'
import { requireScope, serviceBearer } from '@orrery/game'
import { clientAddress } from '@orrery/http'
import { type ServiceScope, bearerToken } from '@orrery/protocol'
import type { ServiceToken } from '@orrery/store'
import type { Context } from 'hono'
import type { AppParts } from '../../app-parts.ts'

/**
 * The service token of a request, checked against its row; its id is in the request's log line.
 *
 * @throws {Refusal} 401 E005; 403 E003 without the scope
 * @throws {HttpError} 429 where an address has sent too many wrong ones
 */
export async function bearerOf(
  context: Context,
  { config, serviceTokens, wrongTokens }: AppParts,
  scope?: ServiceScope,
): Promise<ServiceToken> {
  const token = bearerToken(context.req.header('authorization')) ?? ''
  const bearer = await serviceBearer(serviceTokens, token, systemClock.utcMs()).catch(
    (error: unknown) => {
      if (token !== '') wrongTokens.count(clientAddress(context, config.trustProxy))
      throw error
    },
  )
  context.set('account', bearer.tokenId)
  if (scope) requireScope(bearer, scope)
  return bearer
}
