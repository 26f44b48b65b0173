import { bearerToken } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app.ts'
import { shipState } from '../frames.ts'
import { refusal } from '../players.ts'

/** What a player asks about what is his own. */
export function playerRoutes({ engine, players }: AppParts): Hono {
  const routes = new Hono()
  routes.get('/api/player/ship', async (context) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    const bearer = await players.bearer(token, 'player')
    if (bearer === 'invalid') throw refusal('E005')
    // With an account its ship is gone too.
    if (bearer === 'gone') throw refusal('E006')
    const view = await engine.ship(bearer.account.shipId ?? '')
    if (!view) throw refusal('E006')
    return context.json(shipState(view))
  })
  return routes
}
