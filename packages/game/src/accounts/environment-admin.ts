import type { Accounts, NewAccount } from '@orrery/store'
import { createHash } from 'node:crypto'
import type { GameConfig } from '../game-config.ts'
import type { Passwords } from './passwords.ts'

/** The environment's admin cannot be made; the server must not start without one. */
export class EnvironmentAdminError extends Error {
  override readonly name = 'EnvironmentAdminError'
  readonly code = 'ERR_ENVIRONMENT_ADMIN'
}

/** Namespace of admins' ids; any fixed UUID does. */
const NAMESPACE = '6f7a1c53-0d52-4f1e-9b1b-6d1f0e5d6a10'

/**
 * Makes the environment's admin when no admin exists; never touches one that does.
 *
 * @throws {EnvironmentAdminError} when there is none and the environment names none, or a player
 *   holds the name
 */
export async function ensureAdmin(
  accounts: Accounts,
  passwords: Passwords,
  named: GameConfig['admin'],
): Promise<void> {
  if ((await accounts.adminCount()) > 0) return
  const admin = await environmentAdmin(passwords, named)
  if (!admin) {
    throw new EnvironmentAdminError(
      'No admin exists yet: set ADMIN_USERNAME and ADMIN_PASSWORD for the first one.',
    )
  }
  try {
    await accounts.create(admin)
  } catch (error) {
    // Another server that starts at the same moment may have made one.
    if ((await accounts.adminCount()) > 0) return
    if (Object(error).code !== 'ERR_USERNAME_TAKEN') throw error
    throw new EnvironmentAdminError(`ADMIN_USERNAME ${admin.username} is the name of a player.`)
  }
}

/** The account of the admin that the environment names; undefined when it names none. */
export async function environmentAdmin(
  passwords: Passwords,
  named: GameConfig['admin'],
): Promise<NewAccount | undefined> {
  if (named === undefined) return undefined
  const { username, password } = named
  return {
    playerId: stableId(username),
    username,
    passwordHash: await passwords.hash(password),
    isAdmin: true,
    shipId: null,
  }
}

/** UUID version 5 of the lower-cased name: the admin's tokens outlive a reset. */
function stableId(username: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(username.toLowerCase())
    .digest()
  hash[6] = (hash[6] & 0x0f) | 0x50
  hash[8] = (hash[8] & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
