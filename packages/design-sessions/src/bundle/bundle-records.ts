import { issueReason } from '@orrery/http'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { ADR_NUMBER_MAX, type AdrFields, adrs } from '../records/adrs.ts'
import { type NewArtifact, artifacts } from '../records/artifacts.ts'
import { type NewCoverage, coverageItems } from '../records/coverage.ts'
import { filled, id, integer } from '../tables/fields.ts'
import { type NewInventoryItem, inventoryItems } from '../records/inventory.ts'
import { projects } from '../records/projects.ts'
import { type Question, questions } from '../records/questions.ts'
import { type NewVersion, versions } from '../records/versions.ts'
import type { Assigned, CreateOf } from '../tables/kind.ts'
import type { Archive, Listed } from './archive.ts'
import {
  FORMAT,
  FORMAT_VERSION,
  JSON_BYTES_MAX,
  MANIFEST,
  VERSION_FILE,
  isModest,
  refused,
} from './layout.ts'

/** A record with its id in the bundle. */
type Bundled<Fields> = Fields & Assigned

export type BundledProject = CreateOf<typeof projects> & Omit<Assigned, 'id'>

export type BundledArtifact = Bundled<
  Omit<NewArtifact, 'source_code'> & { readonly source_file: string | null }
>

export type BundledItem = Bundled<Omit<NewInventoryItem, 'data'> & { readonly data_file: string }>

export type BundledVersion = Bundled<NewVersion & { readonly version_number: string }>

/** The content of a version's file; links are ids in the same version. */
export interface BundledRecords {
  readonly version: BundledVersion
  /** given to a decision, which may be deleted; 0 in earlier bundles */
  readonly highest_adr_number: number
  readonly questions: readonly Bundled<Omit<Question, 'version_id'>>[]
  readonly adrs: readonly Bundled<
    AdrFields & { readonly adr_number: number; readonly superseded_by: string | null }
  >[]
  readonly artifacts: readonly BundledArtifact[]
  readonly coverage: readonly Bundled<NewCoverage>[]
  readonly inventory: readonly BundledItem[]
  readonly uploads: readonly Bundled<{
    readonly original_filename: string
    readonly content_type: string
    readonly file: string
  }>[]
}

/** The content of the manifest. */
export interface Manifest {
  readonly project: BundledProject
  /** directories */
  readonly versions: readonly string[]
  readonly files: readonly Listed[]
}

const FILENAME_MAX = 255

/** Records parsed between pauses for other requests. */
const BATCH = 200

/** Times before 1970 are refused; later times than now become now. */
const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
  v.check((date) => date.getTime() >= 0, 'must be a moment since 1970'),
  v.transform((date) => new Date(Math.min(date.getTime(), Date.now()))),
)

const moments = v.object({ created_at: moment, updated_at: moment })
const numbering = v.object({
  highest_adr_number: v.optional(v.pipe(integer(), v.minValue(0), v.maxValue(ADR_NUMBER_MAX)), 0),
})
const identity = v.object({ id: id() })

const manifestSchema = v.object({
  versions: v.array(v.string()),
  files: v.array(
    v.object({
      path: v.string(),
      size: v.pipe(v.number(), v.integer(), v.minValue(0)),
      sha256: v.pipe(v.string(), v.hash(['sha256']), v.toLowerCase()),
    }),
  ),
})

/** The schemas of each kind: those of the API, and of fields it assigns itself. */
const KINDS: Readonly<Record<string, readonly v.GenericSchema[]>> = {
  questions: [questions.create, questions.update],
  adrs: [
    adrs.create,
    v.object({
      adr_number: v.pipe(integer(), v.minValue(1), v.maxValue(ADR_NUMBER_MAX)),
      superseded_by: v.nullable(id()),
    }),
  ],
  artifacts: [artifacts.create, v.object({ source_file: v.nullable(v.string()) })],
  coverage: [coverageItems.create],
  // The data is in a file.
  inventory: [
    v.pipe(
      v.looseObject({}),
      v.transform((item): unknown => ({ ...item, data: '' })),
      inventoryItems.create,
    ),
    v.object({ data_file: v.string() }),
  ],
  uploads: [
    v.object({
      original_filename: v.pipe(
        filled(FILENAME_MAX),
        v.regex(/^(?!\.*$)[^/\\\p{Cc}]+$/u, 'must be a file name'),
      ),
      content_type: v.pipe(v.string(), v.regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/)),
      file: v.string(),
    }),
  ],
}

type Loc = readonly (string | number)[]

/** @throws {HttpError} 422 for other files and newer formats */
export async function manifestOf(archive: Archive): Promise<Manifest> {
  if (!archive.names.has(MANIFEST)) throw refused([MANIFEST], 'is missing: this is no bundle')
  const loc = [MANIFEST]
  const value = await jsonFile(archive, MANIFEST)
  const { format, format_version: version, project } = value
  if (format !== FORMAT) throw refused([...loc, 'format'], `must be ${FORMAT}`)
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw refused([...loc, 'format_version'], 'must be a whole number from 1')
  }
  if (version > FORMAT_VERSION) {
    const known = `this service knows format ${FORMAT_VERSION} and those before`
    throw refused([...loc, 'format_version'], `is ${version}: ${known}`)
  }
  return {
    ...(parsed([manifestSchema], value, loc) as Omit<Manifest, 'project'>),
    project: parsed([projects.create, moments], project, [...loc, 'project']) as BundledProject,
  }
}

/** @throws {HttpError} 422 naming the first invalid record */
export async function recordsOf(archive: Archive, directory: string): Promise<BundledRecords> {
  const path = `${directory}/${VERSION_FILE}`
  const value = await jsonFile(archive, path)
  const schemas = [identity, versions.create, versions.update, moments]
  const version = parsed(schemas, value, [path]) as BundledVersion
  const numbers = parsed([numbering], value, [path]) as v.InferOutput<typeof numbering>
  if (version.version_number === undefined) {
    throw refused([path, 'version_number'], 'is missing in the bundle')
  }
  const records: Record<string, object[]> = {}
  for (const [kind, ofKind] of Object.entries(KINDS)) {
    const items: unknown = value[kind]
    if (!Array.isArray(items)) throw refused([path, kind], 'must be an array')
    records[kind] = []
    for (const [i, item] of items.entries()) {
      records[kind].push(parsed([identity, ...ofKind, moments], item, [path, kind, i]))
      if (i % BATCH === BATCH - 1) await setImmediate()
    }
  }
  return { ...(records as unknown as BundledRecords), ...numbers, version }
}

async function jsonFile(archive: Archive, path: string): Promise<Record<string, unknown>> {
  const text = await archive.text(path, JSON_BYTES_MAX)
  if (!isModest(text)) throw refused([path], 'has too many records for one file')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused([path], 'is not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw refused([path], 'must be a JSON object')
}

const CHECK = { abortEarly: true, message: issueReason }

/** Joins the outputs of several schemas; stops at the first fault. */
function parsed(schemas: readonly v.GenericSchema[], value: unknown, loc: Loc): object {
  const outputs = schemas.map((schema) => {
    const { success, output, issues } = v.safeParse(schema, value, CHECK)
    if (success) return output as object
    const [{ message, path = [] }] = issues
    throw refused([...loc, ...path.map(({ key }) => String(key))], message)
  })
  return Object.assign({}, ...outputs) as object
}
