import type { Sql, TransactionSql } from 'postgres'
import * as v from 'valibot'
import { badField, conflict, notFound } from '../errors.ts'
import { arrayOf, date, filled, id, integer, line, orNull, text } from '../tables/fields.ts'
import { type CreateOf, type RowOf, type UpdateOf, kind } from '../tables/kind.ts'
import { type Place, type Revision, type Stored, insert, one, update } from '../tables/table.ts'
import { versions } from './versions.ts'

const TITLE_MAX = 255
const ENTRIES_MAX = 1000

/** What a file of a decision holds of its record. */
export const DECISION_FIELDS = [
  'title',
  'status',
  'date',
  'decision_makers',
  'context',
  'drivers',
  'options',
  'decision',
  'consequences',
] as const

/** Highest number of a decision. */
export const ADR_NUMBER_MAX = 100_000

const status = v.picklist(['proposed', 'accepted', 'deprecated', 'superseded'])

const consequences = v.pipe(
  text(),
  v.check((value) => value === '' || value.trim() !== '', 'must be empty or not blank'),
)

const lines = v.optional(arrayOf(line(), { max: ENTRIES_MAX }), [])

const option = v.object({
  title: line(),
  description: orNull(line()),
  pros: lines,
  neutral: lines,
  cons: lines,
})

/** An option of a decision, with the arguments for and against it. */
export type AdrOption = v.InferOutput<typeof option>

const options = v.pipe(
  arrayOf(option, { max: ENTRIES_MAX }),
  v.check(
    (all) => new Set(all.map(({ title }) => title)).size === all.length,
    'must have different titles',
  ),
)

/** Architecture decision records. */
export const adrs = kind({
  name: 'adr',
  thing: 'ADR',
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'adr_number', type: 'integer' }],
  fields: {
    /** counted from 1 within the version */
    adr_number: { shown: integer() },
    title: filled(TITLE_MAX),
    context: filled(),
    decision: filled(),
    /** empty if none is known */
    consequences: { shown: v.string(), create: consequences, update: consequences },
    status: v.optional(status, 'proposed'),
    /** of the decision */
    date: orNull(date()),
    decision_makers: lines,
    drivers: lines,
    options: v.optional(options, []),
    // A change can contain the whole record as it was read.
    superseded_by: {
      shown: v.nullable(id()),
      update: v.pipe(v.nullable(id()), v.description('Only as it is: `supersede` sets it.')),
    },
  },
  shown: ['adr_number', ...DECISION_FIELDS, 'superseded_by'],
  filters: { status },
})

export type Adr = RowOf<typeof adrs>
export type AdrFields = CreateOf<typeof adrs>

/** All texts of a decision, for a search in them. */
export function adrText(
  adr: Pick<Adr, 'title' | 'context' | 'drivers' | 'options' | 'decision' | 'consequences'>,
): string {
  const options = adr.options.flatMap((one) => [
    one.title,
    one.description ?? '',
    ...[one.pros, one.neutral, one.cons].flat(),
  ])
  const { title, context, drivers, decision, consequences } = adr
  return [title, context, ...drivers, ...options, decision, consequences].join('\n')
}

/**
 * Adds a decision with the next number of its version.
 *
 * @throws {HttpError} 404 `Version not found`; 409 after the last number
 */
export async function createAdr(
  sql: Sql,
  versionId: string,
  values: AdrFields,
): Promise<Stored<Adr>> {
  return sql.begin((transaction) => numbered(transaction, versionId, values))
}

/**
 * Changes a decision.
 *
 * @throws {HttpError} 404; 412; 422 for another successor
 */
export async function changeAdr(
  sql: Sql,
  place: Place,
  { superseded_by: successor, ...changes }: UpdateOf<typeof adrs>,
  revision?: Revision,
): Promise<Stored<Adr>> {
  if (successor !== undefined) {
    const { superseded_by: present } = await one<Adr>(sql, adrs, place)
    if (successor !== present) throw badField('superseded_by', 'is set by supersede only')
  }
  return update(sql, adrs, place, changes, revision)
}

/**
 * Adds a decision that supersedes another; the old one refers to it.
 *
 * @throws {HttpError} 404 for the version or the old decision; 409 if it has a successor
 */
export async function supersedeAdr(
  sql: Sql,
  old: Required<Place>,
  values: AdrFields,
): Promise<Stored<Adr>> {
  return sql.begin(async (transaction) => {
    await lockVersion(transaction, old.parentId)
    const { superseded_by: successor } = await one<Adr>(transaction, adrs, old)
    if (successor !== null) throw conflict('ADR is superseded already')
    const created = await numbered(transaction, old.parentId, values)
    await update(transaction, adrs, old, { status: 'superseded', superseded_by: created.id })
    return created
  })
}

async function numbered(
  sql: TransactionSql,
  versionId: string,
  values: AdrFields,
): Promise<Stored<Adr>> {
  await lockVersion(sql, versionId)
  const next = (await highestAdrNumber(sql, versionId)) + 1
  if (next > ADR_NUMBER_MAX) throw conflict(`Version has a decision ${ADR_NUMBER_MAX}, the last`)
  return insert<Adr>(sql, adrs, { ...values, version_id: versionId, adr_number: next })
}

/** The highest number that a version has given, to a deleted decision too; 0 without any. */
export async function highestAdrNumber(sql: TransactionSql, versionId: string): Promise<number> {
  const [{ highest }] = await sql<[{ highest: number }]>`
    select greatest(
      (select max(adr_number) from adr
        where version_id = ${versionId} and adr_number <= ${ADR_NUMBER_MAX}),
      (select highest from adr_numbers where version_id = ${versionId}),
      0
    ) as highest`
  return highest
}

/** Serialises numbering in a version until the transaction ends. */
export async function lockVersion(sql: TransactionSql, versionId: string): Promise<void> {
  const [version] = await sql`select 1 from version where id = ${versionId} for no key update`
  if (!version) throw notFound('Version')
}
