import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import type { CoverageItem } from '../records/coverage.ts'
import { categoryOf } from './applicable-files.ts'
import { itemKey } from './item-words.ts'
import { type SessionParts, type Session, readSession } from './session.ts'

/** A critical item that is not covered. */
export interface Blocker {
  readonly category: string
  readonly knowledge_file: string
  readonly item_text: string
  readonly priority: 'Critical'
  /** `unrecorded`: without a coverage record */
  readonly state: 'unrecorded' | 'pending'
  /** of the pending record */
  readonly coverage_id: string | null
}

export interface GateCategory {
  readonly category: string
  readonly critical_total: number
  readonly critical_covered: number
  readonly open: boolean
}

/** Whether diagrams may be drawn: no applicable category has an uncovered critical item. */
export interface Gate {
  readonly open: boolean
  readonly categories: readonly GateCategory[]
  readonly blockers: readonly Blocker[]
  /** files loaded by rule 4 of the workflow */
  readonly files: readonly string[]
}

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
