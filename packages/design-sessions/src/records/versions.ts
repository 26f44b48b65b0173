import type postgres from 'postgres'
import * as v from 'valibot'
import { badField, notFound } from '../errors.ts'
import { facts } from './facts.ts'
import { filled, orNull, text } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind } from '../tables/kind.ts'
import { type Project, ownScope, projects } from './projects.ts'
import { type Stored, insert } from '../tables/table.ts'
import { nextMinor, sortKey } from './version-number.ts'

const NUMBER_MAX = 20
const LABEL_MAX = 255

const status = v.picklist(['draft', 'review', 'approved', 'superseded'])

/** One state of a project's design. */
export const versions = kind({
  name: 'version',
  thing: 'Version',
  parent: { table: projects, column: 'project_id' },
  order: [
    { by: 'sort_key', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
  fields: {
    /** unique in the project; by default the minor after the project's highest */
    version_number: { shown: v.string(), create: v.optional(filled(NUMBER_MAX)) },
    label: orNull(text(LABEL_MAX)),
    status: v.optional(status, 'draft'),
    notes: orNull(text()),
    ...ownScope,
    facts: { shown: facts, create: v.optional(facts, {}) },
  },
  filters: { status },
})

export type Version = RowOf<typeof versions>
export type NewVersion = CreateOf<typeof versions>

type Scope = Pick<Project, keyof typeof ownScope>

/** The project as it was, or is, in one of its versions. */
export function projectIn(version: Version, project: Project): Project {
  return { ...project, ...scopeOf(version) }
}

/** What a design is for. */
export function scopeOf(of: Scope): Scope {
  const { description, cloud_providers, architecture_pattern, compliance_frameworks } = of
  return { description, cloud_providers, architecture_pattern, compliance_frameworks }
}

/**
 * Adds a version; its number defaults to the next minor.
 *
 * @throws {HttpError} 404 `Project not found`; 422 when the next number is too long
 */
export async function createVersion(
  sql: postgres.Sql,
  projectId: string,
  values: NewVersion,
): Promise<Stored<Version>> {
  return sql.begin(async (transaction) => {
    // The lock makes concurrent requests get different numbers.
    const [project] = await transaction<Project[]>`
      select * from project where id = ${projectId} for no key update`
    if (!project) throw notFound('Project')
    const number = values.version_number ?? (await nextNumber(transaction, projectId))
    return insert<Version>(transaction, versions, {
      ...values,
      ...scopeOf(project),
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
