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

/** One page of the accounts that a search finds; empty after a text that is no place. */
export async function accountPage(
  sql: postgres.ISql,
  { search, limit, after }: AccountPageOptions,
): Promise<AccountPage> {
  const found = searchCondition(sql, search)
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*)::int as total from account where ${found}`
  const rows = await sql<(Account & { place: string })[]>`
    select ${accountColumns(sql)},
      (extract(epoch from created_at) * 1000000)::int8 || '.' || player_id as place
    from account where ${found} and ${after === undefined ? sql`true` : isBehind(sql, after)}
    order by created_at, player_id limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  return {
    accounts: shown.map(({ place: _place, ...account }) => account),
    total,
    next: rows.length > limit ? shown.at(-1)?.place : undefined,
  }
}

function searchCondition(
  sql: postgres.ISql,
  search: string,
): postgres.PendingQuery<postgres.Row[]> {
  if (search === '') return sql`true`
  if (UUID.test(search)) return sql`(player_id = ${search} or ship_id = ${search})`
  // PostgreSQL's text holds no NUL, so no name does.
  if (search.includes('\0')) return sql`false`
  return sql`position(${usernameKey(search)} in username_key) > 0`
}

function isBehind(sql: postgres.ISql, after: string): postgres.PendingQuery<postgres.Row[]> {
  const [, microseconds, playerId] = PLACE.exec(after) ?? []
  if (microseconds === undefined || playerId === undefined) return sql`false`
  return sql`
    (created_at, player_id) >
      (timestamptz 'epoch' + ${microseconds}::int8 * interval '1 microsecond', ${playerId}::uuid)`
}
