import type postgres from 'postgres'
import { conflict } from '../errors.ts'

/** Kinds of records and their columns without a short limit. */
const TEXTS = {
  question: ['question_text', 'answer_text'],
  adr: ['title', 'context', 'drivers', 'options', 'decision', 'consequences'],
  coverage_item: ['knowledge_file', 'item_text', 'reason'],
  inventory_item: ['description', 'data'],
  artifact: ['source_code'],
} as const

export type TextKind = keyof typeof TEXTS

/** The kinds that most documents are made of. */
export const PROSE_KINDS = ['question', 'adr', 'coverage_item'] as const

/** Estimated size of a record's other columns, in memory and in a document. */
const ROW_BYTES = 500

/**
 * Limits what is read at once, in memory and time. A version may be of any size; what is made of it
 * may not.
 *
 * @param bytesMax  of its texts of these kinds together
 * @throws {HttpError} 409 with both sizes
 */
export async function ensureReadable(
  sql: postgres.ISql,
  versionId: string,
  kinds: readonly TextKind[],
  bytesMax: number,
): Promise<void> {
  const sums = kinds.map((kind) => {
    const bytes = TEXTS[kind].map((name) => `coalesce(octet_length(${name}::text), 0)`).join('+')
    return `select sum(${bytes}+${ROW_BYTES}) as bytes from ${kind} where version_id = $1`
  })
  const [{ bytes }] = await sql.unsafe<[{ bytes: number }]>(
    `select coalesce(sum(bytes), 0)::float8 as bytes from (${sums.join(' union all ')}) as kind`,
    [versionId],
  )
  if (bytes <= bytesMax) return
  throw conflict(`Version holds ${mebibytes(bytes)} of text; this takes ${mebibytes(bytesMax)}`)
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 104_857.6) / 10} MiB`
}
