import type { CoverageItem } from '../../src/records/coverage.ts'
import { ask, readPage } from '../kit/api.ts'

export interface Item {
  readonly file: string
  readonly text: string
  readonly priority: string
}

const ITEMS_MAX = 1000

/** Records an item of the library as addressed by a question, in its own record if it has one. */
export function settle(path: string, item: Item, question: string): Promise<void> {
  return record(path, item, { status: 'addressed', question_id: question })
}

/** Sets fields of an item's coverage. */
export async function record(path: string, item: Item, fields: object): Promise<void> {
  const { file, text, priority } = item
  const query = new URLSearchParams({ knowledge_file: file, limit: String(ITEMS_MAX) })
  const { rows } = await readPage<CoverageItem>(`${path}/coverage?${query.toString()}`)
  const present = rows.find((row) => row.item_text === text)
  if (present) await ask(`${path}/coverage/${present.id}`, { method: 'PATCH', body: fields })
  else {
    const body = { knowledge_file: file, item_text: text, priority, ...fields }
    await ask(`${path}/coverage`, { method: 'POST', body })
  }
}
