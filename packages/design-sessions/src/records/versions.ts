import type postgres from 'postgres'
import * as v from 'valibot'
import { badField, notFound } from '../errors.ts'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, orNull, text, timestamps } from './fields.ts'
import { projects } from './projects.ts'
import { type Stored, type Table, insert } from './table.ts'
import { nextMinor, sortKey } from './version-number.ts'

const NUMBER_MAX = 20
const LABEL_MAX = 255

export interface VersionFields {
  readonly label: string | null
  readonly status: 'draft' | 'review' | 'approved' | 'superseded'
  readonly notes: string | null
}

export interface NewVersion extends VersionFields {
  /** by default the minor after the project's highest */
  readonly version_number?: string | undefined
}

/** One state of a project's design. */
export interface Version extends VersionFields, Timestamps {
  readonly id: string
  readonly project_id: string
  /** unique in the project */
  readonly version_number: string
}

const status = v.picklist(['draft', 'review', 'approved', 'superseded'])

const entries = {
  id: id(),
  project_id: id(),
  version_number: v.string(),
  label: v.nullable(v.string()),
  status,
  notes: v.nullable(v.string()),
  ...timestamps,
}

export const version: v.GenericSchema<unknown, Version> = named('Version', v.object(entries))

export const versionCreate: v.GenericSchema<unknown, NewVersion> = v.object({
  version_number: v.optional(filled(NUMBER_MAX)),
  label: orNull(text(LABEL_MAX)),
  status: v.optional(status, 'draft'),
  notes: orNull(text()),
})

export const versionUpdate: v.GenericSchema<unknown, Changes<VersionFields>> = v.partial(
  v.object({ label: v.nullable(text(LABEL_MAX)), status, notes: v.nullable(text()) }),
)

export const versionFilters: v.ObjectEntries = { status }

export const versions: Table = {
  name: 'version',
  thing: 'Version',
  columns: Object.keys(entries),
  parent: { table: projects, column: 'project_id' },
  order: [
    { by: 'sort_key', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
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
