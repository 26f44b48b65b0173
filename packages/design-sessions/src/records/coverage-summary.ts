import type postgres from 'postgres'
import * as v from 'valibot'
import { named } from '../openapi.ts'
import { ensure } from './table.ts'
import { versions } from './versions.ts'

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

type Counts<Names extends readonly string[]> = Readonly<Record<Names[number], number>>

/** Counts over a version's coverage; items that do not apply count in totals and by file only. */
export interface CoverageSummary extends Counts<typeof TOTALS> {
  readonly by_file: Readonly<Record<string, Counts<typeof FILE_COUNTS>>>
}

const counter = v.pipe(v.number(), v.integer())

export const coverageSummary: v.GenericSchema<unknown, CoverageSummary> = named(
  'CoverageSummary',
  v.object({
    ...v.entriesFromList(TOTALS, counter),
    by_file: v.record(v.string(), v.object(v.entriesFromList(FILE_COUNTS, counter))),
  }),
)

type FileRow = Counts<typeof TOTALS> &
  Counts<typeof FILE_COUNTS> & { readonly knowledge_file: string }

/**
 * Counts over all coverage of a version, and by file.
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
