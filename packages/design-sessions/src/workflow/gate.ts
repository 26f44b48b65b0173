import * as v from 'valibot'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import { named } from '../openapi.ts'
import type { CoverageItem } from '../records/coverage.ts'
import { id } from '../records/fields.ts'
import { categoryOf } from '../indexing/applicable-files.ts'
import { itemKey } from '../indexing/item-words.ts'
import { type SessionParts, type Session, readSession } from './session.ts'

const count = v.pipe(v.number(), v.integer())

/** Whether diagrams may be drawn: no applicable category has an uncovered critical item. */
export const gate = named(
  'CoverageGate',
  v.object({
    open: v.boolean(),
    categories: v.array(
      v.object({
        category: v.string(),
        critical_total: count,
        critical_covered: count,
        open: v.boolean(),
      }),
    ),
    /** critical items that are not covered */
    blockers: v.array(
      v.object({
        category: v.string(),
        knowledge_file: v.string(),
        item_text: v.string(),
        priority: v.literal('Critical'),
        /** `unrecorded`: without a coverage record */
        state: v.picklist(['unrecorded', 'pending']),
        /** of the pending record */
        coverage_id: v.nullable(id()),
      }),
    ),
    /** files loaded by rule 4 of the workflow */
    files: v.array(v.string()),
  }),
)

export type Gate = v.InferOutput<typeof gate>
export type Blocker = Gate['blockers'][number]

/** @throws {HttpError} 404 `Version not found` */
export async function coverageGate(parts: SessionParts, versionId: string): Promise<Gate> {
  return gateOf(await readSession(parts, versionId))
}

/**
 * The gate of a session; blockers that fit the project come first. Addressed, deferred and not
 * applicable items are covered if their records have no fault. Items recorded as critical count
 * even if no file of the library has them.
 */
export function gateOf({ files, items, coverage }: Session): Gate {
  const known = items.filter(({ priority }) => priority === 'critical').map(itemState(coverage))
  const keys = new Set(items.map(({ file, text }) => itemKey(file, text)))
  const critical = coverage.filter(({ priority }) => priority === 'Critical')
  const criticalKeys = new Set(critical.map(keyOf))
  const own = [...settledFirst(coverage)]
    .filter(([key]) => criticalKeys.has(key) && !keys.has(key))
    .map(([, record]) => record)
  const states = [
    ...known,
    ...own.map((record) => ({
      file: record.knowledge_file,
      text: record.item_text,
      state: record.status,
      coverageId: record.id,
    })),
  ]
  const uncovered = states.filter(({ state }) => state === 'unrecorded' || state === 'pending')
  const blockers = uncovered.map(({ file, text, state, coverageId }) => ({
    category: categoryOf(file),
    knowledge_file: file,
    item_text: text,
    priority: 'Critical' as const,
    state: state as Blocker['state'],
    coverage_id: coverageId,
  }))
  const categories = [...Map.groupBy(states, ({ file }) => categoryOf(file))]
    .map(([category, all]) => {
      const blocked = blockers.filter((blocker) => blocker.category === category).length
      return {
        category,
        critical_total: all.length,
        critical_covered: all.length - blocked,
        open: blocked === 0,
      }
    })
    .toSorted((a, b) => (a.category < b.category ? -1 : 1))
  return { open: blockers.length === 0, categories, blockers, files: files.map(({ path }) => path) }
}

/** The state of a library's item in a version. */
export interface ItemState {
  readonly file: string
  readonly text: string
  readonly state: CoverageItem['status'] | 'unrecorded'
  readonly coverageId: string | null
}

function keyOf({ knowledge_file: file, item_text: text }: CoverageItem): string {
  return itemKey(file, text)
}

/** Records by their items; of two the one that is not pending counts. */
function settledFirst(coverage: readonly CoverageItem[]): ReadonlyMap<string, CoverageItem> {
  const records = new Map<string, CoverageItem>()
  for (const record of coverage) {
    const key = keyOf(record)
    const earlier = records.get(key)
    if (earlier === undefined || earlier.status === 'pending') records.set(key, record)
  }
  return records
}

/** The state of items. */
export function itemState(coverage: readonly CoverageItem[]): (item: ChecklistItem) => ItemState {
  const records = settledFirst(coverage)
  return ({ file, text }) => {
    const record = records.get(itemKey(file, text))
    return { file, text, state: record?.status ?? 'unrecorded', coverageId: record?.id ?? null }
  }
}
