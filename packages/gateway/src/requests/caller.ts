import { type Bearer, type Players, type TokenBearer, refusal } from '@orrery/game'
import { clientAddress } from '@orrery/http'
import { bearerToken } from '@orrery/protocol'
import type { Context } from 'hono'
import type { ReadingParts } from '../app-parts.ts'

/** The owner of a request's token, who acts from an address. */
export type Caller = Bearer & Required<TokenBearer>

/** The parts that a token is judged by. */
export type CallerParts = Pick<ReadingParts, 'config' | 'players' | 'wrongTokens'>

/**
 * Whose token of a type a request has; its id is in the request's log line.
 *
 * @throws {HttpError} 429 where an address has sent too many wrong ones
 */
export async function callerOf(
  context: Context,
  { config, players, wrongTokens }: CallerParts,
  type: Parameters<Players['bearer']>[1],
): Promise<Caller | 'invalid' | 'gone'> {
  const token = bearerToken(context.req.header('authorization')) ?? ''
  const bearer = await players.bearer(token, type)
  const address = clientAddress(context, config.trustProxy)
  if (bearer === 'invalid' && token !== '') wrongTokens.count(address)
  if (typeof bearer === 'string') return bearer
  const { playerId, username } = bearer.account
  context.set('account', playerId)
  return { ...bearer, playerId, username, address }
}

/** The owner of a player's token. @throws {Refusal} 401 E005 */
export async function playerOf(context: Context, parts: CallerParts): Promise<Caller> {
  const caller = await callerOf(context, parts, 'player')
  if (typeof caller === 'string') throw refusal('E005')
  return caller
}
