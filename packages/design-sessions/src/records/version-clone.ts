import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { badField, notFound } from '../errors.ts'
import { adrs, lockVersion } from './adrs.ts'
import { type Artifact, artifacts, redirectedReferences } from './artifacts.ts'
import { coverageItems } from './coverage.ts'
import { inventoryItems } from './inventory.ts'
import { questions } from './questions.ts'
import { ensure, insert } from './table.ts'
import { ensureReadable } from './version-texts.ts'
import { versions } from './versions.ts'

const COPIED = ['question', 'adr', 'inventory_item', 'artifact'] as const

/** Bytes of texts that one clone copies: sources pass through this process. */
const COPIED_BYTES_MAX = 64 * 1_048_576

/**
 * Copies artifacts, decisions, questions and inventory into another version. Artifacts are
 * unrendered and refer to each other's copies; decisions keep their numbers unless one is taken,
 * then all are renumbered.
 *
 * @param withCoverage  copies coverage too, linked to the copied questions
 * @returns the new artifacts, in order
 * @throws {HttpError} 404 for either version; 422 when they are the same; 409 for too much text
 */
export async function cloneVersion(
  sql: postgres.Sql,
  sourceId: string,
  targetId: string,
  withCoverage: boolean,
): Promise<readonly Artifact[]> {
  return sql.begin(async (transaction) => {
    await ensure(transaction, versions, sourceId)
    const [target] = await transaction`select 1 from version where id = ${targetId}`
    if (!target) throw notFound('Target version')
    if (targetId === sourceId) {
      throw badField('target_version_id', 'must be another version', targetId)
    }
    const kinds = withCoverage ? ([...COPIED, 'coverage_item'] as const) : COPIED
    await ensureReadable(transaction, sourceId, kinds, COPIED_BYTES_MAX)
    await lockVersion(transaction, targetId)
    await copyAdrs(transaction, sourceId, targetId)
    const asked = transaction.unsafe(questions.sent.join(', '))
    const covered = transaction.unsafe(without(coverageItems.sent, 'question_id'))
    await transaction`
      with original as materialized (
        select *, gen_random_uuid() as copy_id from question where version_id = ${sourceId}
      ), copied as (
        insert into question (id, version_id, ${asked})
        select copy_id, ${targetId}, ${asked} from original order by ordinal
      )
      insert into coverage_item (version_id, ${covered}, question_id)
      select ${targetId}, ${covered}, (select copy_id from original where id = question_id)
      from coverage_item where ${withCoverage} and version_id = ${sourceId} order by ordinal`
    const listed = transaction.unsafe(inventoryItems.sent.join(', '))
    await transaction`
      insert into inventory_item (version_id, ${listed})
      select ${targetId}, ${listed} from inventory_item where version_id = ${sourceId}`
    return copyArtifacts(transaction, sourceId, targetId)
  })
}

function without(columns: readonly string[], one: string): string {
  return columns.filter((name) => name !== one).join(', ')
}

async function copyAdrs(
  sql: postgres.TransactionSql,
  sourceId: string,
  targetId: string,
): Promise<void> {
  const written = sql.unsafe(without(adrs.sent, 'superseded_by'))
  await sql`
    with original as materialized (
      select *, gen_random_uuid() as copy_id, row_number() over (order by adr_number) as ordinal
      from adr where version_id = ${sourceId}
    ), taken as (
      select coalesce(max(adr_number), 0) as highest,
        coalesce(bool_or(adr_number in (select adr_number from original)), false) as clash
      from adr where version_id = ${targetId}
    )
    insert into adr (id, version_id, adr_number, ${written}, superseded_by)
    select copy_id, ${targetId}, case when clash then highest + ordinal else adr_number end,
      ${written},
      (select other.copy_id from original as other where other.id = original.superseded_by)
    from original, taken order by adr_number`
}

async function copyArtifacts(
  sql: postgres.TransactionSql,
  sourceId: string,
  targetId: string,
): Promise<readonly Artifact[]> {
  const originals = await sql<Artifact[]>`
    select * from artifact where version_id = ${sourceId}
    order by sort_order, name collate "C", id`
  const copyIds = new Map(originals.map(({ id }) => [id, randomUUID()]))
  const copies: Artifact[] = []
  for (const original of originals) {
    const { id, source_code: source } = original
    const sent = Object.entries(original).filter(([name]) => artifacts.sent.includes(name))
    const { revision: _, ...copy } = await insert<Artifact>(sql, artifacts, {
      ...Object.fromEntries(sent),
      id: copyIds.get(id),
      version_id: targetId,
      source_code: source === null ? null : redirectedReferences(source, copyIds),
    })
    copies.push(copy)
  }
  return copies
}
