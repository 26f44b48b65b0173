import type postgres from 'postgres'
import * as v from 'valibot'
import { conflict, notFound } from '../errors.ts'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, integer, timestamps } from './fields.ts'
import { type Place, type Stored, type Table, insert, one } from './table.ts'
import { versions } from './versions.ts'

const TITLE_MAX = 255

/** Highest number of a decision. */
export const ADR_NUMBER_MAX = 100_000

const STATUSES = ['proposed', 'accepted', 'deprecated', 'superseded'] as const

export interface AdrFields {
  readonly title: string
  readonly status: (typeof STATUSES)[number]
  readonly context: string
  readonly decision: string
  readonly consequences: string
}

/** An architecture decision record. */
export interface Adr extends AdrFields, Timestamps {
  readonly id: string
  readonly version_id: string
  /** counted from 1 within the version */
  readonly adr_number: number
  readonly superseded_by: string | null
}

const status = v.picklist(STATUSES)

const entries = {
  id: id(),
  version_id: id(),
  adr_number: integer(),
  title: v.string(),
  status,
  context: v.string(),
  decision: v.string(),
  consequences: v.string(),
  superseded_by: v.nullable(id()),
  ...timestamps,
}

export const adr: v.GenericSchema<unknown, Adr> = named('Adr', v.object(entries))

const prose = {
  title: filled(TITLE_MAX),
  context: filled(),
  decision: filled(),
  consequences: filled(),
}

export const adrCreate: v.GenericSchema<unknown, AdrFields> = v.object({
  ...prose,
  status: v.optional(status, 'proposed'),
})

export const adrUpdate: v.GenericSchema<unknown, Changes<AdrFields>> = v.partial(
  v.object({ ...prose, status }),
)

export const adrFilters: v.ObjectEntries = { status }

export const adrs: Table = {
  name: 'adr',
  thing: 'ADR',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'adr_number', type: 'integer' }],
}

/**
 * Adds a decision with the next number of its version.
 *
 * @throws {HttpError} 404 `Version not found`; 409 after the last number
 */
export async function createAdr(
  sql: postgres.Sql,
  versionId: string,
  values: AdrFields,
): Promise<Stored<Adr>> {
  return sql.begin((transaction) => numbered(transaction, versionId, values))
}

/**
 * Adds a decision that supersedes another; the old one refers to it.
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
    select coalesce(max(adr_number), 0) + 1 as next from adr
    where version_id = ${versionId} and adr_number <= ${ADR_NUMBER_MAX}`
  if (next > ADR_NUMBER_MAX) throw conflict(`Version has a decision ${ADR_NUMBER_MAX}, the last`)
  return insert<Adr>(sql, adrs, { ...values, version_id: versionId, adr_number: next })
}

/** Serialises numbering in a version until the transaction ends. */
export async function lockVersion(sql: postgres.TransactionSql, versionId: string): Promise<void> {
  const [version] = await sql`select 1 from version where id = ${versionId} for no key update`
  if (!version) throw notFound('Version')
}
