import { issueReason } from '@orrery/http'
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { SOURCE_BYTES_MAX, source, text } from '../tables/fields.ts'
import { UPLOAD_BYTES_MAX } from '../records/uploads.ts'
import type { Archive } from './archive.ts'
import {
  type BundledArtifact,
  type BundledItem,
  type BundledRecords,
  type Manifest,
  manifestOf,
  recordsOf,
} from './bundle-records.ts'
import { MANIFEST, OUTPUTS, RECORDS_MAX, VERSION_FILE, refused } from './layout.ts'

/** Characters of raw data, and their largest size in bytes. */
const DATA_MAX = 1_000_000
const DATA_BYTES_MAX = 4 * DATA_MAX

/** A bundle that has passed all checks. */
export interface CheckedBundle {
  readonly archive: Archive
  readonly manifest: Manifest
  /** new ids by old ones */
  readonly ids: ReadonlyMap<string, string>
}

/**
 * Reads and checks a whole bundle; each file belongs to exactly one record.
 *
 * @param keep  stores an upload under its new id
 * @throws {HttpError} 422 naming the first fault
 */
export async function checkedBundle(
  archive: Archive,
  keep: (id: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<CheckedBundle> {
  const manifest = await manifestOf(archive)
  archive.expect(manifest.files)
  const claims = new Claims(archive, manifest)
  const ids = new Map<string, string>()
  const numbers = new Set<string>()
  for (const directory of manifest.versions) {
    const path = `${directory}/${VERSION_FILE}`
    claims.claim(path)
    const records = await recordsOf(archive, directory)
    const { version_number: number } = records.version
    if (numbers.has(number)) throw refused([path, 'version_number'], `${number} is there twice`)
    numbers.add(number)
    renameAll(records, path, ids)
    refuseBrokenLinks(records, path)
    for (const artifact of records.artifacts) {
      if (artifact.source_file !== null) claims.claim(artifact.source_file)
      await sourceOf(archive, artifact)
    }
    for (const item of records.inventory) {
      claims.claim(item.data_file)
      await dataOf(archive, item)
    }
    for (const { id, file } of records.uploads) {
      claims.claim(file)
      const size = archive.size(file)
      if (size === 0 || size > UPLOAD_BYTES_MAX) {
        throw refused([file], `has ${size} bytes; an upload has 1 to ${UPLOAD_BYTES_MAX}`)
      }
      await keep(renamed(ids, id), archive.bytes(file))
    }
  }
  for (const path of claims.outputs()) {
    for await (const _ of archive.bytes(path));
  }
  return { archive, manifest, ids }
}

/** The files of a bundle that no record has claimed yet. */
class Claims {
  readonly #left: Set<string>
  readonly #versions: ReadonlySet<string>

  constructor({ names }: Archive, { files, versions }: Manifest) {
    this.#left = new Set(files.map(({ path }) => path))
    this.#versions = new Set(versions)
    for (const name of names) {
      if (name !== MANIFEST && !this.#left.has(name)) {
        throw refused([name], `is in the ZIP, but not in ${MANIFEST}`)
      }
    }
  }

  /** Two records with the same file would make a small bundle a large project. */
  claim(path: string): void {
    if (!this.#left.delete(path)) throw refused([path], 'is missing, or belongs to two records')
  }

  /** Unclaimed files must be rendered outputs, which are checked and dropped. */
  outputs(): ReadonlySet<string> {
    for (const path of this.#left) {
      const directory = path.slice(0, Math.max(0, path.indexOf(`/${OUTPUTS}/`)))
      if (!this.#versions.has(directory)) throw refused([path], 'belongs to no record')
    }
    return this.#left
  }
}

function renameAll(records: BundledRecords, path: string, ids: Map<string, string>): void {
  const { version, questions, adrs, artifacts, coverage, inventory, uploads } = records
  const all = [version, questions, adrs, artifacts, coverage, inventory, uploads].flat()
  for (const { id } of all) {
    if (ids.has(id)) throw refused([path], `has two records of the id ${id}`)
    ids.set(id, randomUUID())
  }
  if (ids.size > RECORDS_MAX) throw refused([path], `makes more than ${RECORDS_MAX} records`)
}

export function renamed(ids: ReadonlyMap<string, string>, id: string): string {
  const name = ids.get(id)
  if (name === undefined) throw new Error(`No record has the id ${id}`)
  return name
}

function refuseBrokenLinks({ questions, adrs, coverage }: BundledRecords, path: string): void {
  const questionIds = new Set(questions.map(({ id }) => id))
  for (const [i, { question_id: id }] of coverage.entries()) {
    if (id !== null && !questionIds.has(id)) {
      throw refused([path, 'coverage', i, 'question_id'], 'must be a question of this version')
    }
  }
  const adrIds = new Set(adrs.map(({ id }) => id))
  const numbers = new Set<number>()
  for (const [i, { adr_number: number, superseded_by: id }] of adrs.entries()) {
    const place = [path, 'adrs', i]
    if (numbers.has(number)) throw refused([...place, 'adr_number'], `${number} is there twice`)
    numbers.add(number)
    if (id !== null && !adrIds.has(id)) {
      throw refused([...place, 'superseded_by'], 'must be a decision of this version')
    }
  }
}

/** @throws {HttpError} 422 */
export async function sourceOf(
  archive: Archive,
  { source_file: path }: BundledArtifact,
): Promise<string | null> {
  return path === null ? null : fileOf(archive, path, source(), SOURCE_BYTES_MAX)
}

/** @throws {HttpError} 422 */
export async function dataOf(archive: Archive, { data_file: path }: BundledItem): Promise<string> {
  return fileOf(archive, path, text(DATA_MAX), DATA_BYTES_MAX)
}

async function fileOf(
  archive: Archive,
  path: string,
  schema: v.GenericSchema<string, string>,
  bytesMax: number,
): Promise<string> {
  const parsed = v.safeParse(schema, await archive.text(path, bytesMax), { message: issueReason })
  if (parsed.success) return parsed.output
  throw refused([path], parsed.issues[0].message)
}
