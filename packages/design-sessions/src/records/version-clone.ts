import { randomUUID } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import { badField, conflict, notFound } from '../errors.ts'
import { adrs, lockVersion } from './adrs.ts'
import { type Artifact, artifacts, redirectedReferences } from './artifacts.ts'
import { coverageItems } from './coverage.ts'
import { inventoryItems } from './inventory.ts'
import { note } from '../tables/noted.ts'
import { questions } from './questions.ts'
import { ensure, insertAll } from '../tables/table.ts'
import type { Uploads } from './upload-files.ts'
import { uploads } from './uploads.ts'
import { ensureReadable } from './version-texts.ts'
import { versions } from './versions.ts'

const COPIED = ['question', 'adr', 'inventory_item', 'artifact'] as const

/** Bytes of texts that one clone copies: sources pass through this process. */
const COPIED_BYTES_MAX = 64 * 1_048_576

/** Tables and files that a clone copies. */
export interface CloneParts {
  readonly sql: Sql
  readonly uploads: Uploads
}

export interface Clone {
  readonly sourceId: string
  readonly targetId: string
  /** copies coverage too, linked to the copied questions */
  readonly withCoverage: boolean
}

/**
 * Copies artifacts, decisions, questions, inventory, uploads and facts into another version.
 * Artifacts are unrendered and refer to each other's copies; decisions keep their numbers unless
 * one has been given in the target, then all are renumbered. What was copied before is not copied
 * again.
 *
 * @returns the copied artifacts that the target has, in order
 * @throws {HttpError} 404 for either version; 422 when they are the same; 409 for too much text, or
 *   an upload whose file is gone
 */
export async function cloneVersion(
  { sql, uploads: files }: CloneParts,
  clone: Clone,
): Promise<readonly Artifact[]> {
  const kept: string[] = []
  try {
    return await sql.begin(async (transaction) => {
      const earlier = await begun(transaction, clone)
      if (!earlier) {
        await copyAdrs(transaction, clone)
        await copyQuestions(transaction, clone)
        await copyUploads(transaction, clone, async (from, to) => {
          kept.push(to)
          await files.copy(from, to)
        })
        await copyArtifacts(transaction, clone)
        await copyFacts(transaction, clone)
      }
      const isCovered = clone.withCoverage && !earlier?.with_coverage
      if (isCovered) await copyCoverage(transaction, clone)
      if (!earlier || isCovered) await noteClone(transaction, clone)
      return copiesOf(transaction, clone)
    })
  } catch (error) {
    await files.discard(kept)
    throw error
  }
}

async function noteClone(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  const [{ number }] = await sql<{ number: string }[]>`
    select version_number as number from version where id = ${sourceId}`
  const row = { id: targetId, name: `all of version ${number}` }
  await note(sql, 'clone', { kind: 'version', row })
}

/** A target that has facts of its own keeps them. */
async function copyFacts(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  await sql`
    update version set facts = (select facts from version where id = ${sourceId})
    where id = ${targetId} and facts = '{}'`
}

/** Locks the target and notes the clone; returns what had been noted of an earlier one. */
async function begun(
  sql: TransactionSql,
  { sourceId, targetId, withCoverage }: Clone,
): Promise<{ readonly with_coverage: boolean } | undefined> {
  await ensure(sql, versions, sourceId)
  const [target] = await sql`select 1 from version where id = ${targetId}`
  if (!target) throw notFound('Target version')
  if (targetId === sourceId)
    throw badField('target_version_id', 'must be another version', targetId)
  const kinds = withCoverage ? ([...COPIED, 'coverage_item'] as const) : COPIED
  await ensureReadable(sql, sourceId, kinds, COPIED_BYTES_MAX)
  await lockVersion(sql, targetId)
  const [earlier] = await sql<{ with_coverage: boolean }[]>`
    select with_coverage from version_clone
    where source_id = ${sourceId} and target_id = ${targetId}`
  await sql`
    insert into version_clone (source_id, target_id, with_coverage)
    values (${sourceId}, ${targetId}, ${withCoverage})
    on conflict (target_id, source_id) do update
      set with_coverage = version_clone.with_coverage or excluded.with_coverage`
  return earlier
}

/** Questions and inventory. */
async function copyQuestions(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  const asked = sql.unsafe(questions.sent.join(', '))
  await sql`
    insert into question (version_id, copied_from, ${asked})
    select ${targetId}, id, ${asked} from question
    where version_id = ${sourceId} order by ordinal`
  const listed = sql.unsafe(inventoryItems.sent.join(', '))
  await sql`
    insert into inventory_item (version_id, ${listed})
    select ${targetId}, ${listed} from inventory_item where version_id = ${sourceId}`
}

async function copyCoverage(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  const covered = without(coverageItems.sent, 'question_id')
  const named = covered.map((name) => `item.${name}`)
  await sql`
    insert into coverage_item (version_id, ${sql.unsafe(covered.join(', '))}, question_id)
    select ${targetId}, ${sql.unsafe(named.join(', '))}, question.id
    from coverage_item as item
    left join question
      on question.version_id = ${targetId} and question.copied_from = item.question_id
    where item.version_id = ${sourceId} order by item.ordinal`
}

/** @param copy  copies a file */
async function copyUploads(
  sql: TransactionSql,
  { sourceId, targetId }: Clone,
  copy: (from: string, to: string) => Promise<void>,
): Promise<void> {
  // The lock keeps the files until their copies are made.
  const originals = await sql<{ id: string; original_filename: string }[]>`
    select id, original_filename, content_type, file_size from upload
    where version_id = ${sourceId} order by ordinal for key share`
  const copies: object[] = []
  for (const { id, ...original } of originals) {
    const copyId = randomUUID()
    await copy(id, copyId).catch((error: unknown) => {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      const name = original.original_filename
      throw isGone ? conflict(`The file of upload ${id}, "${name}", is gone`) : error
    })
    copies.push({ ...original, id: copyId, version_id: targetId })
  }
  await insertAll(sql, uploads, copies)
}

function without(columns: readonly string[], one: string): readonly string[] {
  return columns.filter((name) => name !== one)
}

/** Numbers of deleted decisions count as given, in both versions. */
async function copyAdrs(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  const written = sql.unsafe(without(adrs.sent, 'superseded_by').join(', '))
  await sql`
    with original as materialized (
      select *, gen_random_uuid() as copy_id, row_number() over (order by adr_number) as ordinal
      from adr where version_id = ${sourceId}
    ), deleted as (
      select coalesce(max(highest), 0) as highest from adr_numbers where version_id = ${targetId}
    ), taken as (
      select greatest(max(adr.adr_number), deleted.highest) as highest,
        exists (select from original where original.adr_number <= deleted.highest)
          or coalesce(bool_or(adr.adr_number in (select adr_number from original)), false) as clash
      from deleted left join adr on adr.version_id = ${targetId} group by deleted.highest
    ), numbers as (
      insert into adr_numbers (version_id, highest)
      select ${targetId}, source.highest from adr_numbers as source, taken
      where source.version_id = ${sourceId} and not clash
      on conflict (version_id) do update
        set highest = greatest(adr_numbers.highest, excluded.highest)
    )
    insert into adr (id, version_id, adr_number, ${written}, superseded_by)
    select copy_id, ${targetId}, case when clash then highest + ordinal else adr_number end,
      ${written},
      (select other.copy_id from original as other where other.id = original.superseded_by)
    from original, taken order by adr_number`
}

async function copyArtifacts(sql: TransactionSql, { sourceId, targetId }: Clone): Promise<void> {
  const originals = await sql<Artifact[]>`
    select * from artifact where version_id = ${sourceId}
    order by sort_order, name collate "C", id`
  const copyIds = new Map(originals.map(({ id }) => [id, randomUUID()]))
  for (const original of originals) {
    const { id, source_code: source } = original
    const sent = Object.entries(original).filter(([name]) => artifacts.sent.includes(name))
    const copy = {
      ...Object.fromEntries(sent),
      id: copyIds.get(id),
      version_id: targetId,
      copied_from: id,
      source_code: source === null ? null : redirectedReferences(source, copyIds),
    }
    await insertAll(sql, artifacts, [copy])
  }
}

async function copiesOf(
  sql: TransactionSql,
  { sourceId, targetId }: Clone,
): Promise<readonly Artifact[]> {
  return sql<Artifact[]>`
    select ${sql([...artifacts.columns])} from artifact
    where version_id = ${targetId}
      and copied_from in (select id from artifact where version_id = ${sourceId})
    order by sort_order, name collate "C", id`
}
