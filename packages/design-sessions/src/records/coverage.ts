import postgres from 'postgres'
import * as v from 'valibot'
import { unprocessable } from '../errors.ts'
import { capitalised } from '../capitalised.ts'
import { named } from '../openapi.ts'
import { FOREIGN_QUESTION } from './faults.ts'
import { date, filled, id, line, orNull, text } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind } from '../tables/kind.ts'
import { note } from '../tables/noted.ts'
import { ensure, insertAll } from '../tables/table.ts'
import { versions } from './versions.ts'

const FILE_MAX = 255
const OWNER_MAX = 255

const PRIORITIES = ['Critical', 'Recommended', 'Optional'] as const
const status = v.picklist(['pending', 'addressed', 'deferred', 'na'])

/** Any case is accepted; answers are capitalised. */
const anyCasePriority = v.pipe(
  v.string(),
  v.description('Critical, Recommended or Optional, in any case'),
  v.transform((word) => capitalised(word.toLowerCase())),
  v.picklist(PRIORITIES),
)

/** The states of checklist items in a version. */
export const coverageItems = kind({
  name: 'coverage_item',
  thing: 'Coverage item',
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'knowledge_file', type: 'text' },
    { by: 'priority', type: 'text' },
    { by: 'ordinal', type: 'bigint' },
  ],
  fields: {
    knowledge_file: { shown: v.string(), create: filled(FILE_MAX) },
    item_text: { shown: v.string(), create: filled() },
    priority: { shown: v.picklist(PRIORITIES), create: anyCasePriority },
    status: v.optional(status, 'pending'),
    /** of the same version */
    question_id: orNull(id()),
    reason: orNull(text()),
    /** who looks after it, mostly while it is deferred */
    owner: orNull(line(OWNER_MAX)),
    due_date: orNull(date()),
  },
  filters: {
    status,
    priority: anyCasePriority,
    knowledge_file: text(FILE_MAX),
    question_id: id(),
  },
})

export type CoverageItem = RowOf<typeof coverageItems>
export type NewCoverage = CreateOf<typeof coverageItems>

/** Faults named in one refusal. */
const NAMED_MAX = 20

/**
 * Adds coverage to a version, all items or none.
 *
 * @returns in the order given
 * @throws {HttpError} 404 `Version not found`; 422 for questions of another version
 */
export async function createCoverage(
  sql: postgres.Sql,
  version_id: string,
  items: readonly NewCoverage[],
): Promise<readonly CoverageItem[]> {
  const rows = items.map((item) => ({ ...item, version_id }))
  try {
    return await sql.begin(async (transaction) => {
      const row = { id: version_id, version_id, name: `${rows.length} items` }
      await note(transaction, 'create', { kind: coverageItems.name, row })
      return insertAll<CoverageItem>(transaction, coverageItems, rows, coverageItems.columns)
    })
  } catch (error) {
    const constraint = error instanceof postgres.PostgresError && error.constraint_name
    if (constraint !== 'coverage_question') throw error
    const places = await foreignQuestions(sql, version_id, items)
    throw unprocessable(
      places.map(([i, input]) => ({
        type: 'value_error',
        loc: ['body', 'items', i, 'question_id'],
        msg: FOREIGN_QUESTION,
        input,
      })),
    )
  }
}

/** Items that refer to questions of another version. */
async function foreignQuestions(
  sql: postgres.Sql,
  versionId: string,
  items: readonly NewCoverage[],
): Promise<readonly (readonly [place: number, id: string])[]> {
  const asked = [...items.entries()].flatMap(([i, { question_id: id }]) =>
    id === null ? [] : [[i, id] as const],
  )
  const found = await sql<{ id: string }[]>`
    select id from question
    where version_id = ${versionId} and id = any(${asked.map(([, id]) => id)}::uuid[])`
  const known = new Set(found.map(({ id }) => id))
  return asked.filter(([, id]) => !known.has(id)).slice(0, NAMED_MAX)
}

const TOTALS = [
  'total',
  'critical_total',
  'critical_addressed',
  'critical_deferred',
  'critical_pending',
  'recommended_total',
  'recommended_addressed',
  'optional_total',
] as const

const FILE_COUNTS = ['total', 'addressed', 'deferred', 'pending', 'na'] as const

const counter = v.pipe(v.number(), v.integer())
const totals = v.object(v.entriesFromList(TOTALS, counter))
const fileCounts = v.object(v.entriesFromList(FILE_COUNTS, counter))

/** Counts over a version's coverage; items with status `na` count only in totals and by file. */
export const coverageSummary = named(
  'CoverageSummary',
  v.object({ ...totals.entries, by_file: v.record(v.string(), fileCounts) }),
)

type CoverageSummary = v.InferOutput<typeof coverageSummary>

type FileRow = v.InferOutput<typeof totals> &
  v.InferOutput<typeof fileCounts> & { readonly knowledge_file: string }

/**
 * Counts over a version's coverage.
 *
 * @throws {HttpError} 404 `Version not found`
 */
export async function summaryOfCoverage(
  sql: postgres.Sql,
  versionId: string,
): Promise<CoverageSummary> {
  const rows = await sql<FileRow[]>`
    select knowledge_file, count(*)::int as total,
      (count(*) filter (where status = 'addressed'))::int as addressed,
      (count(*) filter (where status = 'deferred'))::int as deferred,
      (count(*) filter (where status = 'pending'))::int as pending,
      (count(*) filter (where status = 'na'))::int as na,
      (count(*) filter (where critical))::int as critical_total,
      (count(*) filter (where critical and status = 'addressed'))::int as critical_addressed,
      (count(*) filter (where critical and status = 'deferred'))::int as critical_deferred,
      (count(*) filter (where critical and status = 'pending'))::int as critical_pending,
      (count(*) filter (where recommended))::int as recommended_total,
      (count(*) filter (where recommended and status = 'addressed'))::int
        as recommended_addressed,
      (count(*) filter (where priority = 'Optional'))::int as optional_total
    from coverage_item,
      lateral (select priority = 'Critical' as critical, priority = 'Recommended' as recommended)
    where version_id = ${versionId}
    group by knowledge_file order by knowledge_file collate "C"`
  if (rows.length === 0) await ensure(sql, versions, versionId)
  const sum = (name: (typeof TOTALS)[number]): number =>
    rows.reduce((total, row) => total + row[name], 0)
  const totals = Object.fromEntries(TOTALS.map((name) => [name, sum(name)]))
  const byFile = rows.map((row) => [
    row.knowledge_file,
    Object.fromEntries(FILE_COUNTS.map((name) => [name, row[name]])),
  ])
  return { ...totals, by_file: Object.fromEntries(byFile) } as CoverageSummary
}
