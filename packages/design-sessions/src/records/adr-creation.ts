import type postgres from 'postgres'
import { notFound } from '../errors.ts'
import { type Adr, type AdrFields, adrs } from './adrs.ts'
import { type Place, type Stored, insert, one } from './table.ts'

/**
 * A new decision of a version, with the next number.
 *
 * @throws {HttpError} 404 `Version not found`
 */
export async function createAdr(
  sql: postgres.Sql,
  versionId: string,
  values: AdrFields,
): Promise<Stored<Adr>> {
  return sql.begin((transaction) => numbered(transaction, versionId, values))
}

/**
 * A new decision in the place of an old one, which points to it.
 *
 * @throws {HttpError} 404 for the version or the old decision
 */
export async function supersedeAdr(
  sql: postgres.Sql,
  old: Required<Place>,
  values: AdrFields,
): Promise<Stored<Adr>> {
  return sql.begin(async (transaction) => {
    await one(transaction, adrs, old)
    const created = await numbered(transaction, old.parentId, values)
    await transaction`
      update adr set status = 'superseded', superseded_by = ${created.id} where id = ${old.id}`
    return created
  })
}

async function numbered(
  sql: postgres.TransactionSql,
  versionId: string,
  values: AdrFields,
): Promise<Stored<Adr>> {
  await lockVersion(sql, versionId)
  const [{ next }] = await sql<[{ next: number }]>`
    select coalesce(max(adr_number), 0) + 1 as next from adr where version_id = ${versionId}`
  return insert<Adr>(sql, adrs, { ...values, version_id: versionId, adr_number: next })
}

/** Until the transaction ends nobody else numbers decisions of this version. */
export async function lockVersion(sql: postgres.TransactionSql, versionId: string): Promise<void> {
  const [version] = await sql`select 1 from version where id = ${versionId} for no key update`
  if (!version) throw notFound('Version')
}
