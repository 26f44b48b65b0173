import type { Account, AccountRecords, Actor } from '@orrery/store'
import { refusal } from '../refusal.ts'

/** Kind of the route: the routes of admins concern no other accounts. */
export type AccountKind = 'any' | 'admin'

/** @throws {Refusal} 401 E005 when the actor is no admin any more */
export async function requireAdmin(
  { accounts }: Pick<AccountRecords, 'accounts'>,
  actor: Actor,
): Promise<void> {
  if (!(await accounts.byId(actor.playerId))?.isAdmin) throw refusal('E005')
}

/** An account that a change is about. @throws {Refusal} 404 E009 */
export async function target(
  { accounts }: Pick<AccountRecords, 'accounts'>,
  playerId: string,
  kind: AccountKind,
): Promise<Account> {
  const account = await accounts.byId(playerId)
  if (!account || (kind === 'admin' && !account.isAdmin)) throw refusal('E009')
  return account
}
