import { type Engine, EngineError } from '@orrery/engine'
import type { Account, AccountRecords, Accounts } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import type { Passwords } from './passwords.ts'
import { asRefusal, refusal } from '../refusal.ts'
import type { InTurn } from '../turns.ts'

/** Whose route asks: those of admins know no other accounts. */
export type AccountKind = 'any' | 'admin'

/**
 * Everything that makes, changes or ends accounts: one after the other, each with its entry in the
 * audit trail, so that no two of them can together do what neither may. `actor` is the player id
 * of who asks; one who is no admin any more when his turn comes gets 401 E005.
 */
export interface AccountChanges {
  /** @throws {HttpError} E020 while closed, E010 when the name is taken, E008 when full or busy */
  createPlayer(username: string, password: string): Promise<Account>
  /** @throws {HttpError} E010, E008 */
  createAdmin(actor: string, username: string, password: string): Promise<Account>
  /** Returns what is gone. @throws {HttpError} 404 E009; 400 E003 when it is the actor's own */
  remove(actor: string, playerId: string, kind: AccountKind): Promise<Account>
  /** @throws {HttpError} 400 E003 for the last admin; 401 E005 when it is gone already */
  removeOwn(playerId: string): Promise<void>
  /** Returns what was there. @throws {HttpError} 400 E009; 400 E003 when it is the actor's own */
  changeRole(actor: string, playerId: string, isAdmin: boolean): Promise<Account>
  /**
   * Gives an account a new password; somebody else's tokens end with that, one's own do not.
   *
   * @throws {HttpError} 404 E009, E008
   */
  resetPassword(
    actor: string,
    playerId: string,
    password: string,
    kind: AccountKind,
  ): Promise<{ readonly playerId: string; readonly tokensEnded: boolean }>
  /** @throws {HttpError} 401 E005 when the current password is wrong, E008 */
  changeOwnPassword(account: Account, current: string, password: string): Promise<void>
  /** Gives an account a new ship. @throws {HttpError} 404 E009, 409 E003, E008 */
  assignShip(
    actor: string,
    playerId: string,
  ): Promise<{ readonly playerId: string; readonly shipId: string }>
}

/** What makes and removes ships. */
type ShipYard = Pick<Engine, 'execute'>

export interface AccountChangesOptions {
  readonly accounts: Accounts
  /** both or neither of an account and its audit entry */
  readonly change: <Result>(work: (records: AccountRecords) => Promise<Result>) => Promise<Result>
  readonly engine: ShipYard
  readonly passwords: Passwords
  readonly accountTurn: InTurn
  /** whether players may make accounts */
  readonly isOpen: () => boolean
}

export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const create = createAccounts(options)
  const { change, accountTurn } = options
  /** A change in its turn, with the errors of the interface. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
    accountTurn(work).catch((error: unknown) => {
      throw asRefusal(error)
    })
  return {
    createPlayer: (username, password) => create(undefined, { username, password, isAdmin: false }),
    createAdmin: (actor, username, password) =>
      create(actor, { username, password, isAdmin: true }),
    remove: (actor, playerId, kind) =>
      inTurn(async () => {
        const gone = await change(async (records) => {
          await requireAdmin(records, actor)
          const account = await target(records, playerId, kind)
          if (account.playerId === actor) throw refusal('E003', 'That is your own account', 400)
          await deletion(records, actor, account)
          return account
        })
        await removeShip(options.engine, gone)
        return gone
      }),
    removeOwn: (playerId) =>
      inTurn(async () => {
        const gone = await change(async (records) => {
          const account = await records.accounts.byId(playerId)
          if (!account) throw refusal('E005')
          if (account.isAdmin && (await records.accounts.adminCount()) === 1) {
            throw refusal('E003', 'The last admin cannot go', 400)
          }
          await deletion(records, playerId, account)
          return account
        })
        await removeShip(options.engine, gone)
      }),
    changeRole: (actor, playerId, isAdmin) =>
      inTurn(() =>
        change(async (records) => {
          await requireAdmin(records, actor)
          const account = await records.accounts.byId(playerId)
          if (!account) throw refusal('E009', undefined, 400)
          if (account.playerId === actor) throw refusal('E003', 'That is your own role', 400)
          if (account.isAdmin === isAdmin) return account
          await records.accounts.updateRole(account.playerId, isAdmin)
          const { playerId: subject, username } = account
          const detail = { username, is_admin: isAdmin }
          await records.audit.record({ actor, action: 'change_role', subject, detail })
          return account
        }),
      ),
    ...passwordChanges(options, inTurn),
    assignShip: (actor, playerId) => inTurn(() => assignShip(options, actor, playerId)),
  }
}

interface NewPerson {
  readonly username: string
  readonly password: string
  readonly isAdmin: boolean
}

/** @param options  without an actor the account makes itself */
function createAccounts({
  accounts,
  change,
  engine,
  passwords,
  accountTurn,
  isOpen,
}: AccountChangesOptions): (actor: string | undefined, person: NewPerson) => Promise<Account> {
  // Names whose accounts are being made: hashing takes time, and two may ask for one name.
  const reserved = new Set<string>()

  const create = async (
    actor: string | undefined,
    { username, password, isAdmin }: NewPerson,
  ): Promise<Account> => {
    if (await accounts.byUsername(username)) throw refusal('E010')
    const passwordHash = await passwords.hash(password)
    const playerId = randomUUID()
    const shipId = isAdmin ? null : randomUUID()
    return accountTurn(async () => {
      // It may have been closed while the password was hashed, or the turn waited for.
      if (actor === undefined && !isOpen()) throw refusal('E020')
      const account = await change(async (records) => {
        if (actor !== undefined) await requireAdmin(records, actor)
        const entry = {
          actor: actor ?? playerId,
          action: isAdmin ? 'create_admin' : 'register',
          subject: playerId,
          detail: { username },
        }
        await records.audit.record(entry)
        return records.accounts.create({ playerId, username, passwordHash, isAdmin, shipId })
      })
      if (shipId !== null) {
        await createShip(engine, { shipId, name: username }, () =>
          change(async (records) => {
            await records.accounts.delete(playerId)
            await records.audit.record({ action: 'undo_register', subject: playerId })
          }),
        )
      }
      return account
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
  inTurn: InTurn,
): Pick<AccountChanges, 'resetPassword' | 'changeOwnPassword'> {
  const hash = (password: string): Promise<string> =>
    passwords.hash(password).catch((error: unknown) => {
      throw asRefusal(error)
    })
  return {
    resetPassword: async (actor, playerId, password, kind) => {
      // Looked up before the hash: nobody's password need not be hashed.
      await target({ accounts }, playerId, kind)
      const passwordHash = await hash(password)
      return inTurn(() =>
        change(async (records) => {
          await requireAdmin(records, actor)
          const { playerId: subject } = await target(records, playerId, kind)
          const tokensEnded = subject !== actor
          await records.accounts.updatePassword(subject, passwordHash, {
            raiseGeneration: tokensEnded,
          })
          await records.audit.record({ actor, action: 'reset_password', subject })
          return { playerId: subject, tokensEnded }
        }),
      )
    },
    changeOwnPassword: async ({ playerId, passwordHash: known }, current, password) => {
      const fits = await passwords.verify(current, known).catch((error: unknown) => {
        throw asRefusal(error)
      })
      if (!fits) throw refusal('E005', 'The current password is wrong')
      const passwordHash = await hash(password)
      await inTurn(() =>
        change(async (records) => {
          const account = await records.accounts.byId(playerId)
          // What was right a moment ago may have been reset since.
          if (account?.passwordHash !== known) throw refusal('E005')
          await records.accounts.updatePassword(playerId, passwordHash, { raiseGeneration: false })
          await records.audit.record({
            actor: playerId,
            action: 'change_password',
            subject: playerId,
          })
        }),
      )
    },
  }
}

async function assignShip(
  { change, engine }: AccountChangesOptions,
  actor: string,
  playerId: string,
): Promise<{ playerId: string; shipId: string }> {
  const shipId = randomUUID()
  const { username, playerId: subject } = await change(async (records) => {
    await requireAdmin(records, actor)
    const account = await target(records, playerId, 'any')
    if (account.shipId !== null) throw refusal('E003', 'The account has a ship', 409)
    await records.accounts.updateShip(account.playerId, shipId)
    const detail = { username: account.username, ship_id: shipId }
    await records.audit.record({ actor, action: 'assign_ship', subject: account.playerId, detail })
    return account
  })
  await createShip(engine, { shipId, name: username }, () =>
    change(async (records) => {
      await records.accounts.updateShip(subject, null)
      await records.audit.record({ action: 'undo_assign_ship', subject })
    }),
  )
  return { playerId: subject, shipId }
}

async function deletion(
  { accounts, audit }: AccountRecords,
  actor: string,
  { playerId, username }: Account,
): Promise<void> {
  await accounts.delete(playerId)
  const detail = { username }
  await audit.record({ actor, action: 'delete_account', subject: playerId, detail })
}

async function requireAdmin({ accounts }: AccountRecords, actor: string): Promise<void> {
  if (!(await accounts.byId(actor))?.isAdmin) throw refusal('E005')
}

async function target(
  { accounts }: Pick<AccountRecords, 'accounts'>,
  playerId: string,
  kind: AccountKind,
): Promise<Account> {
  const account = await accounts.byId(playerId)
  if (!account || (kind === 'admin' && !account.isAdmin)) throw refusal('E009')
  return account
}

/** Makes the ship of an account that is written already; when it cannot be, takes that back. */
async function createShip(
  engine: ShipYard,
  ship: { readonly shipId: string; readonly name: string },
  undo: () => Promise<void>,
): Promise<void> {
  try {
    await engine.execute({ kind: 'create_ship', ...ship })
  } catch (error) {
    await undo()
    throw error
  }
}

async function removeShip(engine: ShipYard, { shipId }: Account): Promise<void> {
  if (shipId === null) return
  await engine.execute({ kind: 'remove_ship', shipId }).catch((error: unknown) => {
    // It may be gone already, as after a reset.
    if (!(error instanceof EngineError && error.code === 'ERR_SHIP_UNKNOWN')) throw error
  })
}
