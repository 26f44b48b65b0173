import * as v from 'valibot'
import { capitalised } from '../capitalised.ts'
import { categoryOf } from '../indexing/applicable-files.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import { named } from '../openapi.ts'
import { FACT_NAMES } from '../records/facts.ts'
import { type ItemRecords, itemState } from './gate.ts'
import { type Session, filesOf, itemsFor } from './session.ts'

/** An item that is not asked, as a fact of the version says. */
export const excludedItem = named(
  'ExcludedItem',
  v.object({
    category: v.string(),
    knowledge_file: v.string(),
    item_text: v.string(),
    priority: v.picklist(['Critical', 'Recommended', 'Optional']),
    status: v.picklist(['na', 'deferred']),
    fact: v.picklist(FACT_NAMES),
    reason: v.string(),
  }),
)

export type ExcludedItem = v.InferOutput<typeof excludedItem>

/** Of the library, those that fit the project first; without facts none. */
export async function itemsExcluded(
  session: ItemRecords & Pick<Session, 'project'>,
  knowledge: Pick<Knowledge, 'files' | 'checklist'>,
): Promise<readonly ExcludedItem[]> {
  if (Object.keys(session.version.facts).length === 0) return []
  const files = await filesOf(knowledge, session.project)
  return excludedItems(session, await itemsFor(knowledge, session, files))
}

/** In the order of the items. */
export function excludedItems(
  session: ItemRecords,
  items: readonly ChecklistItem[],
): readonly ExcludedItem[] {
  return items.map(itemState(session)).flatMap(({ file, text, priority, exclusion }) =>
    exclusion
      ? {
          category: categoryOf(file),
          knowledge_file: file,
          item_text: text,
          priority: capitalised(priority) as ExcludedItem['priority'],
          ...exclusion,
        }
      : [],
  )
}
