import type postgres from 'postgres'
import { badField, notFound } from '../errors.ts'
import { type Stored, insert } from './table.ts'
import { nextMinor, sortKey } from './version-number.ts'
import { NUMBER_MAX, type NewVersion, type Version, versions } from './versions.ts'

/**
 * A new version of a project; without a number it gets the minor after the project's highest.
 *
 * @throws {HttpError} 404 `Project not found`; 422 when the next number is too long
 */
export async function createVersion(
  sql: postgres.Sql,
  projectId: string,
  values: NewVersion,
): Promise<Stored<Version>> {
  return sql.begin(async (transaction) => {
    // Two that ask for the next number at once get two numbers.
    const [project] = await transaction`
      select 1 from project where id = ${projectId} for no key update`
    if (!project) throw notFound('Project')
    const number = values.version_number ?? (await nextNumber(transaction, projectId))
    return insert<Version>(transaction, versions, {
      ...values,
      project_id: projectId,
      version_number: number,
      sort_key: sortKey(number),
    })
  })
}

async function nextNumber(sql: postgres.ISql, projectId: string): Promise<string> {
  const rows = await sql<{ version_number: string }[]>`
    select version_number from version where project_id = ${projectId}`
  const number = nextMinor(rows.map((row) => row.version_number))
  if (number.length <= NUMBER_MAX) return number
  throw badField('version_number', `is needed: the next one has over ${NUMBER_MAX} characters`)
}
