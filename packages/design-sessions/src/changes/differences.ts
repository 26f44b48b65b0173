import * as v from 'valibot'
import { named } from '../openapi.ts'
import { id } from '../tables/fields.ts'
import { versions } from '../records/versions.ts'

export const KINDS = [
  'decisions',
  'questions',
  'artifacts',
  'coverage',
  'inventory',
  'uploads',
] as const

export type Kind = (typeof KINDS)[number]

const count = v.pipe(v.number(), v.integer())

/** An excerpt of a long text, the size of a source or of data. */
const shown = v.nullable(v.union([v.string(), v.number()]))

/** Identifies a record. */
const record = v.intersect([v.object({ id: id() }), v.record(v.string(), shown)])

const changes = v.array(
  v.object({
    field: v.string(),
    from: shown,
    to: shown,
    /** line diff of a source; null when it is too large */
    diff: v.optional(v.nullable(v.string())),
  }),
)

/** The differences among records of one kind. */
const difference = named(
  'Difference',
  v.object({
    added: v.array(record),
    removed: v.array(record),
    changed: v.array(
      v.object({
        /** in the newer version */
        record,
        /** in the older version */
        against_id: id(),
        changes,
      }),
    ),
  }),
)

const counts = v.object({ added: count, removed: count, changed: count, unchanged: count })

/** The differences of two versions of a project. */
export const versionDifferences = named(
  'VersionDiff',
  v.object({
    version: versions.schema,
    against: versions.schema,
    /** what the versions are designed for, and their facts */
    scope: changes,
    summary: v.object(v.entriesFromList(KINDS, counts)),
    ...v.entriesFromList(KINDS, difference),
  }),
)

export type Shown = v.InferOutput<typeof shown>
export type Named = v.InferOutput<typeof record>
export type Difference = v.InferOutput<typeof difference>
export type Changed = Difference['changed'][number]
export type Change = v.InferOutput<typeof changes>[number]
export type Counts = v.InferOutput<typeof counts>
export type VersionDiff = v.InferOutput<typeof versionDifferences>
