import type { AccountRecords, Actor } from '@orrery/store'
import { createHash, randomBytes } from 'node:crypto'
import { refusal } from '../refusal.ts'

/** 128 bits, 22 characters. */
const CODE_BYTES = 16

const HOUR_MS = 3_600_000

/** What a player asks for. */
export interface NewInvitation {
  /** registrations that may name it */
  readonly uses: number
  readonly hours: number
}

/** An invitation as it is made; nothing shows its code again. */
export interface MadeInvitation {
  readonly code: string
  readonly uses: number
  readonly expiresAt: Date
}

/** Who an invitation is from. */
export interface Host {
  readonly playerId: string
  readonly shipId: string
}

/** What invitations are written with. */
type Records = Pick<AccountRecords, 'accounts' | 'invitations'>

/**
 * Makes an invitation to begin beside a player's ship.
 *
 * @param usesMax  of a player's open invitations together; 0 switches them off
 * @throws {Refusal} 404 E006 without a ship; 403 E003 while they are off, 409 E003 beyond the limit
 */
export async function makeInvitation(
  { accounts, invitations }: Records,
  { playerId }: Actor,
  { uses, hours }: NewInvitation,
  { nowMs, usesMax }: { readonly nowMs: number; readonly usesMax: number },
): Promise<MadeInvitation> {
  if (usesMax === 0) throw refusal('E003', 'Invitations are off on this server')
  if (!(await accounts.byId(playerId))?.shipId) throw refusal('E006')
  const open = await invitations.openUses(playerId, new Date(nowMs))
  if (open + uses > usesMax) {
    const limit = `Invitations of one player are open for ${usesMax} registrations at most`
    throw refusal('E003', `${limit}; yours are for ${open}`, 409)
  }
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const expiresAt = new Date(nowMs + hours * HOUR_MS)
  await invitations.create(codeHash(code), { playerId, expiresAt, usesLeft: uses })
  return { code, uses, expiresAt }
}

/**
 * Whose ship an invitation is to.
 *
 * @throws {Refusal} 404 E002 when it is unknown; 409 E003 when it has expired or is used up, or the
 *   ship is gone; 403 E003 while invitations are off
 */
export async function hostOf(
  { accounts, invitations }: Records,
  code: string,
  { nowMs, usesMax }: { readonly nowMs: number; readonly usesMax: number },
): Promise<Host> {
  if (usesMax === 0) throw refusal('E003', 'Invitations are off on this server')
  const invitation = await invitations.byHash(codeHash(code))
  if (!invitation) throw refusal('E002', 'The invitation is unknown, or was withdrawn')
  const { expiresAt, playerId, usesLeft } = invitation
  if (expiresAt.getTime() <= nowMs) throw refusal('E003', 'The invitation has expired', 409)
  if (usesLeft === 0) throw refusal('E003', USED_UP, 409)
  const shipId = (await accounts.byId(playerId))?.shipId
  if (!shipId) throw refusal('E003', 'The ship of the invitation is gone', 409)
  return { playerId, shipId }
}

/** Takes one use of an invitation. @throws {Refusal} 409 E003 when there is none left */
export async function useInvitation(
  { invitations }: Pick<Records, 'invitations'>,
  code: string,
): Promise<void> {
  if (!(await invitations.use(codeHash(code)))) throw refusal('E003', USED_UP, 409)
}

const USED_UP = 'The invitation is used up'

function codeHash(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}
