import type postgres from 'postgres'
import { UUID } from './account-row.ts'

/** What opens some routes to a program beside the server. */
export interface ServiceToken {
  readonly tokenId: string
  readonly name: string
  /** what it may do */
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** The service tokens, of which only hashes are kept. */
export interface ServiceTokens {
  create(hash: string, token: ServiceToken): Promise<void>
  byHash(hash: string): Promise<ServiceToken | undefined>
  /** Oldest first, expired ones too. */
  list(): Promise<ServiceToken[]>
  /** The same for a transaction that makes one: another one that asks waits until it ends. */
  lock(): Promise<ServiceToken[]>
  /** Returns what is gone; undefined when there is no such token. */
  delete(tokenId: string): Promise<ServiceToken | undefined>
}

/** @param sql a database, or a transaction to take part in */
export function serviceTokens(sql: postgres.ISql): ServiceTokens {
  const columns = sql`token_id as "tokenId", name, scopes, created_at as "createdAt",
    expires_at as "expiresAt"`
  const list = async (): Promise<ServiceToken[]> => [
    ...(await sql<ServiceToken[]>`
      select ${columns} from service_token order by created_at, token_id`),
  ]
  return {
    async create(hash, { tokenId, name, scopes, createdAt, expiresAt }) {
      const row = {
        token_id: tokenId,
        token_hash: hash,
        name,
        scopes: [...scopes],
        created_at: createdAt,
        expires_at: expiresAt,
      }
      await sql`insert into service_token ${sql(row)}`
    },
    async byHash(hash) {
      const [found] = await sql<ServiceToken[]>`
        select ${columns} from service_token where token_hash = ${hash}`
      return found
    },
    list,
    async lock() {
      await sql`lock table service_token in share row exclusive mode`
      return list()
    },
    async delete(tokenId) {
      if (!UUID.test(tokenId)) return undefined
      const [gone] = await sql<ServiceToken[]>`
        delete from service_token where token_id = ${tokenId} returning ${columns}`
      return gone
    },
  }
}
