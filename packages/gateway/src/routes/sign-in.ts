import { Refusal, refusal } from '@orrery/game'
import { clientAddress } from '@orrery/http'
import { type LoginResponse, signInRequest } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { bodyValues } from '../requests/input.ts'
import type { Registrations } from '../requests/registrations.ts'

const signingIn = {
  summary: 'Sign in by another server',
  description:
    "Signs in whoever has a JWT of the server's `SIGN_IN_ISSUER`, as a player only. At first it " +
    'makes an account and its ship, while registration is open. The account has no password ' +
    'until an admin sets one.',
  tag: 'public',
  body: signInRequest,
  errors: [
    [400, 'E011'],
    [401, 'E005'],
    [403, 'E003'],
    [403, 'E020'],
    [403, 'E031'],
    [404, 'E002'],
    [409, 'E010'],
    [429, 'E004'],
  ],
} as const

/** The route of people that another server knows. */
export function signInRoutes(parts: AppParts, registrations: Registrations): Hono {
  const { config, foreignIdentities, players, wrongTokens } = parts
  const routes = new Hono()
  serve(routes, 'signIn', signingIn, async (context) => {
    const body = await bodyValues(context, signInRequest)
    const { token: shown, username, ship_class: shipClass } = body
    if (!foreignIdentities) throw refusal('E002', 'This server has no SIGN_IN_ISSUER')
    const address = clientAddress(context, config.trustProxy)
    const playerId = await foreignIdentities.playerId(shown).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'E005') wrongTokens.count(address)
      throw error
    })
    const name = username ?? `pilot_${playerId.slice(0, 8)}`
    const coming = { address, ...(shipClass !== undefined && { shipClass }) }
    const { account, token } = await players.signIn(playerId, name, coming, async (make) => {
      await registrations.ensureOpen()
      return registrations.counted(address, make)
    })
    const answer: LoginResponse = {
      player_id: playerId,
      username: account.username,
      ship_id: account.shipId ?? '',
      token,
      is_admin: account.isAdmin,
    }
    return context.json(answer)
  })
  return routes
}
