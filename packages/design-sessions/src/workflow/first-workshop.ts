import { categoryOf } from '../indexing/applicable-files.ts'
import { exclusionBy, fromStage } from '../indexing/conditions.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import type { Facts } from '../records/facts.ts'

/** Critical items before the first diagrams. */
export const ASKED_MAX = 60

/** Groups of files: what every project needs goes before details of providers. */
const GROUPS = ['general', 'failures', 'patterns', 'compliance', 'frameworks', 'providers']

/**
 * Puts critical items off that are too many for the stage `first`: of its last groups, of all
 * providers alike, and of each the last ones.
 */
export function firstWorkshop(
  facts: Facts,
  items: readonly ChecklistItem[],
): readonly ChecklistItem[] {
  if (facts.stage !== 'first') return items
  const asked = items.filter(
    ({ priority, condition }) =>
      priority === 'critical' && exclusionBy(facts, condition) === undefined,
  )
  const counts = new Map<string, number>()
  const ranked = asked.map((item) => {
    const category = categoryOf(item.file)
    const place = counts.get(category) ?? 0
    counts.set(category, place + 1)
    return { item, group: GROUPS.indexOf(category.split('/')[0]), place }
  })
  ranked.sort((a, b) => a.group - b.group || a.place - b.place)
  const later = new Set(ranked.slice(ASKED_MAX).map(({ item }) => item))
  return items.map((item) =>
    later.has(item)
      ? { ...item, condition: { ...item.condition, stage: fromStage('detail') } }
      : item,
  )
}
