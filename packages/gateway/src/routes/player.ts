import { EngineError } from '@orrery/engine'
import { type Bearer, type Players, refusal } from '@orrery/game'
import { SlidingWindow, clientAddress, rateLimited } from '@orrery/http'
import {
  CLOSE_CODES,
  type MessageResponse,
  bearerToken,
  messageResponse,
  ownPasswordRequest,
  ownShipState as shipSchema,
  predictionRequest,
  predictionResponse as predictionSchema,
} from '@orrery/protocol'
import type { Account } from '@orrery/store'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import { predictionResponse } from '../predictions.ts'
import { pilotErrorCode } from '../sockets/pilot-commands.ts'
import { ownShipState } from '../wire-views.ts'
import { bodyValues } from './input.ts'

const MINUTE_MS = 60_000

/** Routes of a player's own ship and account. */
export function playerRoutes(parts: AppParts): Hono {
  const { engine, players } = parts
  const routes = new Hono()
  const ownShip = operation('readShip', {
    summary: 'Read the own ship',
    description: "The state of the player's ship at this moment.",
    tag: 'player',
    access: 'player',
    success: { status: 200, schema: shipSchema },
    errors: [[404, 'E006']],
  })
  routes.get('/api/player/ship', ownShip, async (context) => {
    const bearer = await bearerOf(context, players)
    if (bearer === 'invalid') throw refusal('E005')
    // The ship is deleted with its account.
    if (bearer === 'gone') throw refusal('E006')
    const view = await engine.ship(bearer.account.shipId ?? '')
    if (!view) throw refusal('E006')
    return context.json(ownShipState(view))
  })
  addPrediction(routes, parts)
  addAccount(routes, parts)
  return routes
}

function addPrediction(routes: Hono, { config, engine, players, predictor }: AppParts): void {
  const predicting = operation('predict', {
    summary: 'Predict the own trajectory',
    description:
      "The trajectory of the player's ship for the next hours, under its maneuver, its rules " +
      'and the given orders. Approaches to one target are marked.',
    tag: 'player',
    access: 'player',
    body: predictionRequest,
    success: { status: 200, schema: predictionSchema },
    errors: [
      [403, 'E003'],
      [404, 'E006'],
      [429, 'E004'],
    ],
  })
  routes.post('/api/player/predict', predicting, async (context) => {
    const { shipId } = await accountOf(context, players)
    const request = await bodyValues(context, predictionRequest)
    if (shipId === null) throw refusal('E006')
    try {
      const asking = { shipId, address: clientAddress(context, config.trustProxy) }
      return context.json(await predictionResponse(request, asking, engine, predictor))
    } catch (error) {
      const code = pilotErrorCode(error)
      if (!code) throw error
      throw refusal(code, error instanceof EngineError ? error.message : undefined)
    }
  })
}

function addAccount(routes: Hono, parts: AppParts): void {
  const { config, accountChanges, players, sockets } = parts
  const deleting = operation('deleteAccount', {
    summary: 'Delete the own account',
    description: "Deletes the player's account and ship at once. The last admin cannot be deleted.",
    tag: 'player',
    access: 'player',
    success: { status: 204 },
    errors: [[400, 'E003']],
  })
  routes.delete('/api/account', deleting, async (context) => {
    const { playerId } = await accountOf(context, players)
    await accountChanges.removeOwn(playerId)
    const close = CLOSE_CODES.accountDeleted
    sockets.disconnect(playerId, { error: 'E014', close, reason: 'account deleted' })
    return context.body(null, 204)
  })

  const changingPassword = operation('changePassword', {
    summary: 'Change the own password',
    description: 'Needs the current password. Tokens stay valid.',
    tag: 'player',
    access: 'player',
    body: ownPasswordRequest,
    success: { status: 200, schema: messageResponse },
    errors: [
      [400, 'E012'],
      [429, 'E004'],
    ],
  })
  // A stolen token must not open the way to guess the password.
  const attempts = new SlidingWindow({ limit: config.loginAttemptsPerMinute, windowMs: MINUTE_MS })
  routes.put('/api/account/password', changingPassword, async (context) => {
    const account = await accountOf(context, players)
    const body = await bodyValues(context, ownPasswordRequest)
    const attempt = attempts.attempt(account.playerId)
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
    await accountChanges.changeOwnPassword(account, body.current_password, body.new_password)
    const answer: MessageResponse = { message: 'The password is changed' }
    return context.json(answer)
  })
}

function bearerOf(context: Context, players: Players): Promise<Bearer | 'invalid' | 'gone'> {
  const token = bearerToken(context.req.header('authorization')) ?? ''
  return players.bearer(token, 'player')
}

/** The account of a player's token. @throws {Refusal} 401 E005 */
export async function accountOf(context: Context, players: Players): Promise<Account> {
  const bearer = await bearerOf(context, players)
  if (typeof bearer === 'string') throw refusal('E005')
  return bearer.account
}
