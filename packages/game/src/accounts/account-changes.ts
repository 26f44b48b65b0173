import type { WallClock } from '@orrery/engine'
import type { Account, AccountRecords, Accounts, Actor } from '@orrery/store'
import { randomInt, randomUUID } from 'node:crypto'
import { createAccountQueue } from './account-queue.ts'
import { NO_PASSWORD, type Passwords } from './passwords.ts'
import { type Refusal, asRefusal, refusal } from '../refusal.ts'
import type { SerialQueue } from '../serial-queue.ts'
import { type ShipChanges, newShip, shipChanges } from './ship-changes.ts'
import { type AccountKind, requireAdmin, target } from './account-checks.ts'
import { type OfferedShips, requireTaker } from './ship-offers.ts'
import { type ShipCommands, createWithAccount, removeWithAccount } from './account-ship.ts'
import {
  type MadeInvitation,
  type NewInvitation,
  hostOf,
  makeInvitation,
  useInvitation,
} from './invitations.ts'

/** Where the count of an account's ended tokens begins that may have been deleted before. */
const GENERATIONS = 2 ** 30

/**
 * Creates, changes and deletes accounts, one at a time, each with an entry in the audit trail, so
 * that no two changes together do what neither may. A caller of what only admins may do who is
 * none any more when the change starts gets 401 E005. Where another process changes accounts, too,
 * an admin is left all the same.
 */
export interface AccountChanges extends ShipChanges {
  /**
   * @throws {Refusal} E020 while closed, E010 when the name is taken, E008 when full or busy; what
   *   `requireTaker` and `hostOf` refuse, and 409 E003 where no ship can begin beside the other
   */
  createPlayer(username: string, password: string, coming?: Coming): Promise<Account>
  /**
   * The same without a password, for a foreign identity.
   *
   * @param playerId  made of that identity
   */
  createForeigner(playerId: string, username: string, coming?: Coming): Promise<Account>
  /** @throws {Refusal} E010, E008 */
  createAdmin(actor: Actor, username: string, password: string): Promise<Account>
  /** Returns what is gone. @throws {Refusal} 404 E009; 400 E003 when it is the actor's own */
  remove(actor: Actor, playerId: string, kind: AccountKind): Promise<Account>
  /** @throws {Refusal} 400 E003 for the last admin; 401 E005 when it is gone already */
  removeOwn(actor: Actor): Promise<void>
  /**
   * Removes an account that never flew and was not used since a time, in the server's name; false
   * for any other account.
   *
   * @throws {Refusal} E008
   */
  removeUnflown(playerId: string, before: Date): Promise<boolean>
  /** Returns what was there. @throws {Refusal} 400 E009; 400 E003 when it is the actor's own */
  changeRole(actor: Actor, playerId: string, isAdmin: boolean): Promise<Account>
  /**
   * Sets the password of an account and ends its tokens, save the caller's where it is the own.
   * Returns what was there.
   *
   * @throws {Refusal} 404 E009, E008
   */
  resetPassword(
    actor: TokenBearer,
    playerId: string,
    password: string,
    kind: AccountKind,
  ): Promise<Account>
  /**
   * Changes the own password and ends all other tokens.
   *
   * @throws {Refusal} 401 E005 when the current password is wrong, E008
   */
  changeOwnPassword(actor: TokenBearer, current: string, password: string): Promise<void>
  /** Ends all tokens of the own account, the caller's too. @throws {Refusal} 401 E005 */
  endOwnTokens(actor: Actor): Promise<void>
  /** Makes an invitation to begin beside the own ship. @throws what `makeInvitation` does */
  invite(actor: Actor, wanted: NewInvitation): Promise<MadeInvitation>
  /** Ends the own invitations. */
  withdrawInvitations(actor: Actor): Promise<void>
}

/** How somebody comes who makes an account for itself. */
export interface Coming {
  /** of the client */
  readonly address?: string
  /** code of an invitation: the ship begins beside another */
  readonly invitation?: string
  /** name of the ship's class; that of new accounts when left out */
  readonly shipClass?: string
}

/** An actor with a token, which a change of the own password leaves valid. */
export interface TokenBearer extends Actor {
  readonly tokenHash?: string
}

export interface AccountChangesOptions extends OfferedShips {
  readonly accounts: Accounts
  /** writes an account and its audit entry in one transaction */
  readonly change: <Result>(work: (records: AccountRecords) => Promise<Result>) => Promise<Result>
  readonly engine: ShipCommands
  /** resolves when everything that was acted on is durable, or never will be */
  readonly settled: () => Promise<void>
  readonly passwords: Passwords
  readonly accountQueue: SerialQueue
  /** whether players may make accounts */
  readonly isOpen: () => Promise<boolean>
  /** registrations that a player's open invitations may be for; 0 switches invitations off */
  readonly invitedMax: number
  readonly shipsPerPlayer: number
  readonly clock: Pick<WallClock, 'utcMs'>
}

export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const { accounts, change, engine } = options
  const enqueue = createAccountQueue(options)
  const create = createAccounts(options, enqueue)
  const remove = (actor: Actor | undefined, account: Account): Promise<void> =>
    removeWhole({ engine, change }, actor, account)
  return {
    createPlayer: (username, password, coming = {}) =>
      create(undefined, { username, password, isAdmin: false, ...coming }),
    createForeigner: (playerId, username, coming = {}) =>
      create(undefined, { playerId, username, isAdmin: false, ...coming }),
    createAdmin: (actor, username, password) =>
      create(actor, { username, password, isAdmin: true }),
    remove: (actor, playerId, kind) =>
      enqueue(async () => {
        await requireAdmin({ accounts }, actor)
        const account = await target({ accounts }, playerId, kind)
        if (account.playerId === actor.playerId) {
          throw refusal('E003', 'That is your own account', 400)
        }
        await remove(actor, account)
        return account
      }),
    removeOwn: (actor) =>
      enqueue(async () => {
        const account = await accounts.byId(actor.playerId)
        if (!account) throw refusal('E005')
        // Before the ship is removed, too.
        if (account.isAdmin && (await accounts.adminCount()) === 1) throw lastAdmin()
        await remove(actor, account)
      }),
    removeUnflown: (playerId, before) =>
      enqueue(async () => {
        const account = await accounts.byId(playerId)
        if (!account?.unflownSince || account.unflownSince >= before) return false
        await remove(undefined, account)
        return true
      }),
    changeRole: (actor, playerId, isAdmin) =>
      enqueue(() =>
        change(async (records) => {
          const admins = await records.accounts.lockAdmins()
          if (!admins.includes(actor.playerId)) throw refusal('E005')
          const account = await records.accounts.byId(playerId)
          if (!account) throw refusal('E009', undefined, 400)
          if (account.playerId === actor.playerId) {
            throw refusal('E003', 'That is your own role', 400)
          }
          if (account.isAdmin === isAdmin) return account
          await records.accounts.updateRole(account.playerId, isAdmin)
          const { playerId: subject, username } = account
          const detail = { username, is_admin: isAdmin }
          await records.audit.record({ actor, action: 'change_role', subject, detail })
          return account
        }),
      ),
    ...passwordChanges(options, enqueue),
    // Not in the queue, which a player could fill with these.
    invite: (actor, wanted) =>
      change((records) => makeInvitation(records, actor, wanted, bounds(options))),
    withdrawInvitations: ({ playerId }) =>
      change(({ invitations }) => invitations.withdraw(playerId)),
    ...shipChanges(options, enqueue),
  }
}

interface NewPerson extends Coming {
  /** of a foreign identity; else a new one */
  readonly playerId?: string
  readonly username: string
  /** undefined for a foreign identity */
  readonly password?: string
  readonly isAdmin: boolean
}

/** What invitations are judged by. */
function bounds({ clock, invitedMax }: AccountChangesOptions): {
  readonly nowMs: number
  readonly usesMax: number
} {
  return { nowMs: clock.utcMs(), usesMax: invitedMax }
}

/** Makes accounts; without an actor one makes itself. */
function createAccounts(
  options: AccountChangesOptions,
  enqueue: SerialQueue,
): (actor: Actor | undefined, person: NewPerson) => Promise<Account> {
  const { accounts, change, engine, passwords, isOpen, clock } = options
  // Names whose accounts are being made: hashing takes time, and two may request one name.
  const reserved = new Set<string>()

  const create = async (actor: Actor | undefined, person: NewPerson): Promise<Account> => {
    const { playerId = randomUUID(), username, password, isAdmin, address, invitation } = person
    const { shipClass = options.newShips } = person
    if (!isAdmin) requireTaker(options, shipClass, { isAdmin, isGiven: false })
    if (await accounts.byUsername(username)) throw refusal('E010')
    const applicant = actor ? undefined : { address: address ?? '', username }
    const passwordHash = password === undefined ? '' : await passwords.hash(password, applicant)
    const shipId = isAdmin ? null : randomUUID()
    return enqueue(async () => {
      // It may have been closed while the password was hashed, or the turn waited for.
      if (actor === undefined && !(await isOpen())) throw refusal('E020')
      if (actor !== undefined) await requireAdmin({ accounts }, actor)
      // Before a ship is made for it.
      if (await accounts.byUsername(username)) throw refusal('E010')
      const host =
        invitation === undefined
          ? undefined
          : await change((records) => hostOf(records, invitation, bounds(options)))
      const opening = async (records: AccountRecords): Promise<Account> => {
        await records.audit.record({
          actor: actor ?? { playerId, username, ...(address && { address }) },
          action: isAdmin ? 'create_admin' : 'register',
          subject: playerId,
          detail: { username, ...(host && { invited_by: host.playerId }) },
        })
        if (invitation !== undefined) await useInvitation(records, invitation)
        const unflownSince = actor ? null : new Date(clock.utcMs())
        const account = { playerId, username, passwordHash, isAdmin, shipId, unflownSince }
        // Tokens of an account of the same identity that was deleted stay void.
        const generation = password === undefined ? randomInt(GENERATIONS) : 0
        return records.accounts.create({ ...account, generation })
      }
      if (shipId === null) return change(opening)
      const made = newShip(options, { shipId, name: username, shipClass })
      const ship = { ...made, ...(host && { beside: host.shipId }) }
      return createWithAccount(engine, actor?.playerId ?? playerId, ship, opening)
    })
  }

  return async (actor, person) => {
    const key = person.username.toLowerCase()
    if (reserved.has(key)) throw refusal('E010')
    reserved.add(key)
    try {
      return await create(actor, person)
    } catch (error) {
      throw asRefusal(error)
    } finally {
      reserved.delete(key)
    }
  }
}

function passwordChanges(
  { accounts, change, passwords }: AccountChangesOptions,
  enqueue: SerialQueue,
): Pick<AccountChanges, 'resetPassword' | 'changeOwnPassword' | 'endOwnTokens'> {
  const hash = (password: string): Promise<string> =>
    passwords.hash(password).catch((error: unknown) => {
      throw asRefusal(error)
    })
  return {
    resetPassword: async (actor, playerId, password, kind) => {
      // Looked up before the hash, which is expensive.
      await target({ accounts }, playerId, kind)
      const passwordHash = await hash(password)
      return enqueue(() =>
        change(async (records) => {
          await requireAdmin(records, actor)
          const account = await target(records, playerId, kind)
          const { playerId: subject, username } = account
          const kept = subject === actor.playerId ? actor.tokenHash : undefined
          await records.accounts.updatePassword(subject, passwordHash, kept)
          const detail = { username }
          await records.audit.record({ actor, action: 'reset_password', subject, detail })
          return account
        }),
      )
    },
    changeOwnPassword: async (actor, current, password) => {
      const { playerId } = actor
      const known = (await accounts.byId(playerId))?.passwordHash
      const applicant = { address: playerId, username: actor.username }
      const fits = await passwords.verify(current, known, applicant).catch((error: unknown) => {
        throw asRefusal(error)
      })
      if (known === '') throw refusal('E005', NO_PASSWORD)
      if (!fits) throw refusal('E005', 'The current password is wrong')
      const passwordHash = await hash(password)
      await enqueue(() =>
        change(async (records) => {
          const account = await records.accounts.byId(playerId)
          // What was right a moment ago may have been reset since.
          if (account?.passwordHash !== known) throw refusal('E005')
          await records.accounts.updatePassword(playerId, passwordHash, actor.tokenHash)
          await records.audit.record({ actor, action: 'change_password', subject: playerId })
        }),
      )
    },
    endOwnTokens: (actor) =>
      enqueue(() =>
        change(async (records) => {
          const { playerId: subject } = actor
          if (!(await records.accounts.endTokens(subject))) throw refusal('E005')
          await records.audit.record({ actor, action: 'sign_out_everywhere', subject })
        }),
      ),
  }
}

/** Removes an account with its ships. */
async function removeWhole(
  parts: Pick<AccountChangesOptions, 'engine' | 'change'>,
  actor: Actor | undefined,
  account: Account,
): Promise<void> {
  const by = actor?.playerId ?? null
  await removeWithAccount(parts, by, account, (records) => deletion(records, actor, account))
  for (const shipId of account.coastingShips) {
    // The account is gone; the next start takes out a ship that stays.
    await parts.engine
      .execute({ kind: 'remove_ship', shipId }, { actor: by })
      .catch(() => undefined)
  }
}

async function deletion(
  { accounts, audit }: AccountRecords,
  actor: Actor | undefined,
  { playerId: subject, username, unflownSince }: Account,
): Promise<void> {
  // Another process may remove or demote an admin at the same moment.
  const admins = await accounts.lockAdmins()
  if (actor && actor.playerId !== subject && !admins.includes(actor.playerId)) {
    throw refusal('E005')
  }
  if (admins.length === 1 && admins[0] === subject) throw lastAdmin()
  await accounts.delete(subject)
  const since = !actor && unflownSince && { unflown_since: unflownSince.toISOString() }
  const detail = { username, ...since }
  await audit.record({ ...(actor && { actor }), action: 'delete_account', subject, detail })
}

function lastAdmin(): Refusal {
  return refusal('E003', 'The last admin cannot go', 400)
}
