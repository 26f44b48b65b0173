import postgres from 'postgres'
import { unprocessable } from '../errors.ts'
import { type CoverageItem, type NewCoverage, coverageItems } from './coverage.ts'
import { FOREIGN_QUESTION } from './faults.ts'
import { insertAll } from './table.ts'

/** Places named of one refusal. */
const NAMED_MAX = 20

/**
 * New coverage of a version, all of it or none.
 *
 * @returns in the order given
 * @throws {HttpError} 404 `Version not found`; 422 for questions that are not of the version
 */
export async function createCoverage(
  sql: postgres.Sql,
  version_id: string,
  items: readonly NewCoverage[],
): Promise<readonly CoverageItem[]> {
  const rows = items.map((item) => ({ ...item, version_id }))
  try {
    return await insertAll<CoverageItem>(sql, coverageItems, rows, coverageItems.columns)
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

/** Where items point to questions that are not of their version. */
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
