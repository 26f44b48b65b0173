import type { TokenBearer } from '@orrery/game'
import { CLOSE_CODES } from '@orrery/protocol'
import type { AppParts } from '../app-parts.ts'

type Parts = Pick<AppParts, 'accountChanges' | 'sockets'>

/** Closes the sockets of an account with a new password, save those of the token to be kept. */
export function passwordChanged(
  { sockets }: Pick<Parts, 'sockets'>,
  playerId: string,
  { playerId: actor, tokenHash }: TokenBearer,
): void {
  sockets.disconnect(playerId, {
    close: CLOSE_CODES.passwordReset,
    reason: 'password reset',
    ...(playerId === actor && tokenHash !== undefined && { except: tokenHash }),
  })
}

/** Ends all tokens of the actor's account and closes its sockets. @throws {Refusal} 401 E005 */
export async function signOutEverywhere(
  { accountChanges, sockets }: Parts,
  actor: TokenBearer,
): Promise<void> {
  await accountChanges.endOwnTokens(actor)
  const close = CLOSE_CODES.expired
  sockets.disconnect(actor.playerId, { error: 'E005', close, reason: 'signed out' })
}
