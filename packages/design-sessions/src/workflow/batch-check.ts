import type postgres from 'postgres'
import { type Unprocessable, unprocessable } from '../errors.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import type { NewCoverage } from '../records/coverage.ts'
import { type Records, faultsOf } from './evidence.ts'
import { itemKey, libraryPath } from '../indexing/item-words.ts'

/** Faults named in one refusal. */
const NAMED_MAX = 20

/** @throws {HttpError} 422 for unknown files and items, and for states without what they need */
export async function checkBatch(
  { sql, knowledge }: { readonly sql: postgres.Sql; readonly knowledge: Knowledge },
  versionId: string,
  items: readonly NewCoverage[],
): Promise<void> {
  const files = new Set((await knowledge.files()).map(({ path }) => path))
  const known = new Set(
    (
      await knowledge.checklist([...new Set(items.map((item) => libraryPath(item.knowledge_file)))])
    ).map(({ file, text }) => itemKey(file, text)),
  )
  const records: Records = {
    questions: await sql<Records['questions'][number][]>`
      select id, question_text, answer_text, status from question
      where version_id = ${versionId}
        and id = any (${items.flatMap(({ question_id: id }) => id ?? [])}::uuid[])`,
    adrs: await sql<Records['adrs'][number][]>`
      select title, context, drivers, options, decision, consequences, status from adr
      where version_id = ${versionId}`,
  }
  const faultOf = await faultsOf(knowledge, records, items)
  const faults = items.flatMap((item, i): Unprocessable[] => {
    const { item_text: text, status } = item
    const file = libraryPath(item.knowledge_file)
    const fault = (field: string, msg: string, input: string): Unprocessable[] => [
      { type: 'value_error', loc: ['body', 'items', i, field], msg, input },
    ]
    if (!files.has(file)) return fault('knowledge_file', 'is no file of the library', file)
    if (!known.has(itemKey(file, text))) return fault('item_text', `is no item of ${file}`, text)
    const missing = faultOf(item)
    return missing === undefined ? [] : fault('status', missing, status)
  })
  if (faults.length > 0) throw unprocessable(faults.slice(0, NAMED_MAX))
}
