import type postgres from 'postgres'
import { type Account, UUID, accountColumns, usernameKey } from './account-row.ts'

/** Which accounts a page holds. */
export interface AccountPageOptions {
  /** a part of the name in any case, or the whole id of a player or ship; empty for all */
  readonly search: string
  readonly limit: number
  /** `next` of the page before */
  readonly after?: string
}

/** Some accounts of a listing, oldest first, then by id. */
export interface AccountPage {
  readonly accounts: readonly Account[]
  /** accounts that the search finds in all */
  readonly total: number
  /** where the next page starts; undefined after the last one */
  readonly next: string | undefined
}

/** Microseconds since 1970 and the player's id: a place in the listing that no deletion moves. */
const PLACE = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u

/** So many accounts are few: they are sorted once they are found. */
const FEW = 1000

/** A row of a page; one without an account where the page is empty. */
interface PageRow extends Account {
  readonly place: string | null
  readonly total?: number
}

/** One page of the accounts that a search finds; empty after a text that is no place. */
export async function accountPage(
  sql: postgres.ISql,
  options: AccountPageOptions,
): Promise<AccountPage> {
  // Along their order few are found late, and many early.
  const few = options.search === '' ? undefined : await pageOfFew(sql, options)
  return few && few.total <= FEW ? few : pageOfMany(sql, options)
}

/** Looks once at each account; the page holds nothing where more than `FEW` are found. */
async function pageOfFew(sql: postgres.ISql, options: AccountPageOptions): Promise<AccountPage> {
  const { search, limit, after } = options
  const rows = await sql<[Required<PageRow>, ...Required<PageRow>[]]>`
    with few as materialized (
      select player_id, created_at from account
      where ${searchCondition(sql, search)} limit ${FEW + 1}
    ), page as (
      select player_id, created_at from few where ${isBehind(sql, after)}
      order by created_at, player_id limit ${limit + 1}
    )
    select total, ${pageColumns(sql)}
    from (select count(*)::int as total from few) counted
      left join (page join account using (player_id, created_at)) on total <= ${FEW}
    order by created_at, player_id`
  const found = rows.filter(({ place }) => place !== null)
  return pageOf(found, rows[0].total, limit)
}

/** Looks along the order of all accounts until the page is full. */
async function pageOfMany(sql: postgres.ISql, options: AccountPageOptions): Promise<AccountPage> {
  const { search, limit, after } = options
  const found = searchCondition(sql, search)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*)::int as total from account where ${found}`
  const rows = await sql<PageRow[]>`
    select ${pageColumns(sql)}
    from account where ${found} and ${isBehind(sql, after)}
    order by created_at, player_id limit ${limit + 1}`
  return pageOf(rows, total, limit)
}

function pageColumns(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    ${accountColumns(sql)},
    (extract(epoch from created_at) * 1000000)::int8 || '.' || player_id as place`
}

function pageOf(rows: readonly PageRow[], total: number, limit: number): AccountPage {
  const shown = rows.slice(0, limit)
  return {
    accounts: shown.map(({ place: _place, total: _total, ...account }) => account),
    total,
    next: rows.length > limit ? (shown.at(-1)?.place ?? undefined) : undefined,
  }
}

function searchCondition(
  sql: postgres.ISql,
  search: string,
): postgres.PendingQuery<postgres.Row[]> {
  if (search === '') return sql`true`
  if (UUID.test(search)) {
    return sql`
      (player_id = ${search} or ship_id = ${search} or ${search}::uuid = any(coasting_ships))`
  }
  // PostgreSQL's text holds no NUL, so no name does.
  if (search.includes('\0')) return sql`false`
  return sql`position(${usernameKey(search)} in username_key) > 0`
}

function isBehind(
  sql: postgres.ISql,
  after: string | undefined,
): postgres.PendingQuery<postgres.Row[]> {
  if (after === undefined) return sql`true`
  const [, microseconds, playerId] = PLACE.exec(after) ?? []
  if (microseconds === undefined || playerId === undefined) return sql`false`
  return sql`
    (created_at, player_id) >
      (timestamptz 'epoch' + ${microseconds}::int8 * interval '1 microsecond', ${playerId}::uuid)`
}
