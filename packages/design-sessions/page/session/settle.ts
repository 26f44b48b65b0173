import type { CoverageItem } from '../../src/records/coverage.ts'
import { ask, readPage, readRecord } from '../kit/api.ts'
import { COVERAGE_STATES } from './coverage.ts'

export interface Item {
  readonly file: string
  readonly text: string
  readonly priority: string
}

const ITEMS_MAX = 1000

/**
 * Records an item of the library as addressed by a question, unless somebody has put it aside.
 *
 * @throws {Error} with the state that it has
 */
export function settle(path: string, item: Item, question: string): Promise<void> {
  return record(path, item, { status: 'addressed', question_id: question }, ['deferred', 'na'])
}

/** Sets fields of an item's coverage, unless that is in one of some states. */
export async function record(
  path: string,
  { file, text, priority }: Item,
  fields: object,
  unless: readonly CoverageItem['status'][] = [],
): Promise<void> {
  const query = new URLSearchParams({ knowledge_file: file, limit: String(ITEMS_MAX) })
  const { rows } = await readPage<CoverageItem>(`${path}/coverage?${query.toString()}`)
  const present = rows.find((row) => row.item_text === text)
  if (!present) {
    const body = { knowledge_file: file, item_text: text, priority, ...fields }
    await ask(`${path}/coverage`, { method: 'POST', body })
    return
  }
  const address = `${path}/coverage/${present.id}`
  const { row, etag } = await readRecord<CoverageItem>(address)
  if (unless.includes(row.status)) {
    throw new Error(`It is ${COVERAGE_STATES[row.status].toLowerCase()} already.`)
  }
  await ask(address, { method: 'PATCH', body: fields, etag })
}
