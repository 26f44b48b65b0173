import type postgres from 'postgres'
import { type Account, UUID, accountColumns, usernameKey } from './account-row.ts'
import { type AccountPage, type AccountPageOptions, accountPage } from './account-page.ts'
import { type AccountShips, accountShips } from './account-ships.ts'
import { StoreError } from '../error.ts'
import { type UnflownAccounts, unflownAccounts } from './unflown.ts'

/** What decides which tokens of an account are good. */
export type TokenState = Pick<Account, 'generation' | 'tokensFrom' | 'keptToken'>

/** What is needed to open an account; no tokens were ended, and `createdAt` is set by itself. */
export type NewAccount = Omit<
  Account,
  keyof TokenState | 'coastingShips' | 'createdAt' | 'unflownSince'
> &
  Partial<TokenState & Pick<Account, 'unflownSince'>>

/** The accounts, as the database holds them; an unknown id is no error. */
export interface Accounts extends AccountShips, UnflownAccounts {
  /** @throws StoreError `ERR_USERNAME_TAKEN` (case-insensitive), `ERR_PLAYER_EXISTS` (same id) */
  create(account: NewAccount): Promise<Account>
  byId(id: string): Promise<Account | undefined>
  /** Finds a name whatever its case. */
  byUsername(name: string): Promise<Account | undefined>
  /** All accounts, oldest first, then by id. */
  list(): Promise<Account[]>
  /** Some of the accounts, in the order of `list`. */
  page(options: AccountPageOptions): Promise<AccountPage>
  /** All administrators, in the order of `list`. */
  admins(): Promise<Account[]>
  adminCount(): Promise<number>
  /** Ids of all administrators, whose rows no other process changes until the transaction ends. */
  lockAdmins(): Promise<string[]>
  /** Stores a new hash and ends the tokens issued before, but the one with the hash `keptToken`. */
  updatePassword(id: string, hash: string, keptToken?: string): Promise<Account | undefined>
  /** Ends all tokens issued before. */
  endTokens(id: string): Promise<Account | undefined>
  updateRole(id: string, isAdmin: boolean): Promise<Account | undefined>
  updateShip(id: string, shipId: string | null): Promise<Account | undefined>
  /** Whether there was such an account. */
  delete(id: string): Promise<boolean>
}

const UNIQUE_VIOLATION = '23505'

async function insertAccount(
  sql: postgres.ISql,
  columns: postgres.PendingQuery<postgres.Row[]>,
  account: NewAccount,
): Promise<Account> {
  const { playerId, username, passwordHash, isAdmin, shipId } = account
  const { generation = 0, tokensFrom = null, keptToken = null, unflownSince = null } = account
  const row = {
    player_id: playerId,
    username,
    username_key: usernameKey(username),
    password_hash: passwordHash,
    is_admin: isAdmin,
    ship_id: shipId,
    generation,
    tokens_from: tokensFrom,
    kept_token: keptToken,
    unflown_since: unflownSince,
  }
  // A conflict that raises no error leaves a transaction around it usable.
  const [made] = await sql<Account[]>`
    insert into account ${sql(row)} on conflict (username_key) do nothing
    returning ${columns}`.catch((error: unknown) => {
    if (Object(error).code !== UNIQUE_VIOLATION) throw error
    throw new StoreError('ERR_PLAYER_EXISTS', `There is a player ${playerId} already.`)
  })
  if (made !== undefined) return made
  throw new StoreError('ERR_USERNAME_TAKEN', `The name "${username}" is taken.`)
}

/**
 * The accounts behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 */
export function accounts(sql: postgres.ISql): Accounts {
  const columns = accountColumns(sql)

  async function updated(
    id: string,
    change: postgres.PendingQuery<postgres.Row[]>,
  ): Promise<Account | undefined> {
    if (!UUID.test(id)) return undefined
    const [account] = await sql<Account[]>`
      update account set ${change} where player_id = ${id} returning ${columns}`
    return account
  }

  const ended = (keptToken?: string): postgres.PendingQuery<postgres.Row[]> =>
    sql`generation = generation + 1, tokens_from = now(), kept_token = ${keptToken ?? null}`

  return {
    create: (account) => insertAccount(sql, columns, account),
    async byId(id) {
      if (!UUID.test(id)) return undefined
      const [account] = await sql<Account[]>`
        select ${columns} from account where player_id = ${id}`
      return account
    },
    async byUsername(name) {
      // PostgreSQL's text holds no NUL, so no account has such a name.
      if (name.includes('\0')) return undefined
      const [account] = await sql<Account[]>`
        select ${columns} from account where username_key = ${usernameKey(name)}`
      return account
    },
    async list() {
      return [
        ...(await sql<Account[]>`
          select ${columns} from account order by created_at, player_id`),
      ]
    },
    page: (options) => accountPage(sql, options),
    async admins() {
      return [
        ...(await sql<Account[]>`
          select ${columns} from account where is_admin order by created_at, player_id`),
      ]
    },
    async adminCount() {
      const [{ count }] = await sql<[{ count: number }]>`
        select count(*)::int as count from account where is_admin`
      return count
    },
    async lockAdmins() {
      const rows = await sql<{ playerId: string }[]>`
        select player_id as "playerId" from account where is_admin order by player_id for update`
      return rows.map(({ playerId }) => playerId)
    },
    updatePassword: (id, hash, keptToken) =>
      updated(id, sql`password_hash = ${hash}, ${ended(keptToken)}`),
    endTokens: (id) => updated(id, ended()),
    // What an admin has given stays.
    updateRole: (id, isAdmin) => updated(id, sql`is_admin = ${isAdmin}, unflown_since = null`),
    updateShip: (id, shipId) => updated(id, sql`ship_id = ${shipId}, unflown_since = null`),
    ...accountShips(sql),
    ...unflownAccounts(sql),
    async delete(id) {
      if (!UUID.test(id)) return false
      const { count } = await sql`delete from account where player_id = ${id}`
      return count === 1
    },
  }
}

/** The accounts of some ids that there are. */
export function accountsByIds(sql: postgres.ISql, ids: readonly string[]): Promise<Account[]> {
  return sql<Account[]>`
    select ${accountColumns(sql)} from account where player_id = any(${ids})`
}
