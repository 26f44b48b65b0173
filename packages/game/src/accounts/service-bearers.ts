import type { AccountRecords, Actor, ServiceToken, ServiceTokens } from '@orrery/store'
import { randomBytes, randomUUID } from 'node:crypto'
import { refusal } from '../refusal.ts'
import { tokenHash } from './tokens.ts'

/** By which people and scanners of secrets know it; no JWT begins so. */
const PREFIX = 'orrery_service_'

/** 256 bits. */
const TOKEN_BYTES = 32

const DAY_MS = 86_400_000

/** Tokens there may be, expired ones too. */
export const SERVICE_TOKENS_MAX = 100

/** What an admin asks for. */
export interface NewServiceToken {
  readonly name: string
  /** what it may do */
  readonly scopes: readonly string[]
  readonly days: number
}

/** A service token as it is made; nothing shows it again. */
export interface MadeServiceToken extends ServiceToken {
  readonly token: string
}

/** What service tokens are written with. */
type Records = Pick<AccountRecords, 'accounts' | 'serviceTokens' | 'audit'>

/**
 * Makes a service token, with an entry in the audit trail.
 *
 * @throws {Refusal} 401 E005 when the actor is no admin any more, 409 E003 beyond the limit
 */
export async function makeServiceToken(
  records: Records,
  actor: Actor,
  { name, scopes, days }: NewServiceToken,
  nowMs: number,
): Promise<MadeServiceToken> {
  await requireAdmin(records, actor)
  const { length } = await records.serviceTokens.lock()
  if (length >= SERVICE_TOKENS_MAX) {
    const limit = `There are ${SERVICE_TOKENS_MAX} service tokens, as many as there may be`
    throw refusal('E003', limit, 409)
  }
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
  const [createdAt, expiresAt] = [new Date(nowMs), new Date(nowMs + days * DAY_MS)]
  const made = { tokenId: randomUUID(), name, scopes, createdAt, expiresAt }
  await records.serviceTokens.create(tokenHash(token), made)
  await record(records, actor, 'create_service_token', made)
  return { ...made, token }
}

/**
 * Ends a service token, with an entry in the audit trail.
 *
 * @throws {Refusal} 401 E005 when the actor is no admin any more, 404 E002 for an unknown one
 */
export async function revokeServiceToken(
  records: Records,
  actor: Actor,
  tokenId: string,
): Promise<void> {
  await requireAdmin(records, actor)
  const gone = await records.serviceTokens.delete(tokenId)
  if (!gone) throw refusal('E002', 'There is no such service token')
  await record(records, actor, 'revoke_service_token', gone)
}

/**
 * The service token that a request shows, as it is stored now.
 *
 * @throws {Refusal} 401 E005 naming what is wrong with it
 */
export async function serviceBearer(
  tokens: Pick<ServiceTokens, 'byHash'>,
  token: string,
  nowMs: number,
): Promise<ServiceToken> {
  if (!token.startsWith(PREFIX)) throw refusal('E005', 'A service token is needed')
  const found = await tokens.byHash(tokenHash(token))
  if (!found) throw refusal('E005', 'The service token is unknown, or was revoked')
  if (found.expiresAt.getTime() <= nowMs) throw refusal('E005', 'The service token has expired')
  return found
}

/** @throws {Refusal} 403 E003 naming the scope that is missing */
export function requireScope({ name, scopes }: ServiceToken, scope: string): void {
  if (scopes.includes(scope)) return
  throw refusal('E003', `The service token ${name} lacks the scope ${scope}`)
}

/** Another admin may have changed the actor's role since the request came. */
async function requireAdmin({ accounts }: Records, { playerId }: Actor): Promise<void> {
  if (!(await accounts.lockAdmins()).includes(playerId)) throw refusal('E005')
}

async function record(
  { audit }: Records,
  actor: Actor,
  action: string,
  { tokenId: subject, name, scopes, expiresAt }: ServiceToken,
): Promise<void> {
  const detail = { name, scopes: [...scopes], expires_at: expiresAt.toISOString() }
  await audit.record({ actor, action, subject, detail })
}
