import * as v from 'valibot'
import { type Exclusion, exclusionBy } from '../indexing/conditions.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import { named } from '../openapi.ts'
import type { CoverageItem } from '../records/coverage.ts'
import { id } from '../tables/fields.ts'
import { categoryOf } from '../indexing/applicable-files.ts'
import { itemKey, itemWords } from '../indexing/item-words.ts'
import type { Version } from '../records/versions.ts'
import { type Counted, type SessionParts, type Session, readSession } from './session.ts'

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
        /** why that record does not count, whatever its status */
        fault: v.nullable(v.string()),
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
 * applicable items are covered if their records have no fault, and without a record if a fact
 * excludes them. Items recorded as critical count even if no file of the library has them.
 */
export function gateOf(session: Session): Gate {
  const { files, items, coverage } = session
  const known = items.filter(({ priority }) => priority === 'critical').map(itemState(session))
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
      fault: record.fault,
    })),
  ]
  const uncovered = states.filter(({ state }) => state === 'unrecorded' || state === 'pending')
  const blockers = uncovered.map(({ file, text, state, coverageId, fault }) => ({
    category: categoryOf(file),
    knowledge_file: file,
    item_text: text,
    priority: 'Critical' as const,
    state: state as Blocker['state'],
    coverage_id: coverageId,
    fault: fault ?? null,
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
  readonly priority: ChecklistItem['priority']
  readonly state: CoverageItem['status'] | 'unrecorded'
  readonly coverageId: string | null
  readonly fault: string | undefined
  /** why it is not asked, unless it has a record or was asked all the same */
  readonly exclusion: Exclusion | undefined
}

function keyOf({ knowledge_file: file, item_text: text }: Counted): string {
  return itemKey(file, text)
}

/** Records by their items; of two the one that is not pending counts. */
function settledFirst(coverage: readonly Counted[]): ReadonlyMap<string, Counted> {
  const records = new Map<string, Counted>()
  for (const record of coverage) {
    const key = keyOf(record)
    const earlier = records.get(key)
    if (earlier === undefined || earlier.status === 'pending') records.set(key, record)
  }
  return records
}

/** What the states of items follow from. */
export interface ItemRecords extends Pick<Session, 'questions' | 'coverage'> {
  readonly version: Pick<Version, 'facts'>
}

/** The state of items: what people asked and recorded goes before the facts of the version. */
export function itemState({
  version,
  questions,
  coverage,
}: ItemRecords): (item: ChecklistItem) => ItemState {
  const records = settledFirst(coverage)
  const asked = new Set(questions.map(({ question_text: text }) => itemWords(text)))
  return ({ file, text, priority, condition }) => {
    const record = records.get(itemKey(file, text))
    const isOwn = record !== undefined || asked.has(itemWords(text))
    const exclusion = isOwn ? undefined : exclusionBy(version.facts, condition)
    const state = record?.status ?? exclusion?.status ?? 'unrecorded'
    const coverageId = record?.id ?? null
    return { file, text, priority, state, coverageId, fault: record?.fault, exclusion }
  }
}
