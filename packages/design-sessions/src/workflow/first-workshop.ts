import { exclusionBy, fromStage } from '../indexing/conditions.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import type { Facts } from '../records/facts.ts'

/** Critical items before the first diagrams. */
export const ASKED_MAX = 60

/** Groups of files: what every project needs goes before details of providers. */
const GROUPS = ['general', 'failures', 'patterns', 'compliance', 'frameworks', 'providers']

/**
 * Puts critical items off that are too many for the stage `first`: of its last groups, and of a
 * group the last ones.
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
  const later = new Set(asked.toSorted((a, b) => groupOf(a) - groupOf(b)).slice(ASKED_MAX))
  return items.map((item) =>
    later.has(item)
      ? { ...item, condition: { ...item.condition, stage: fromStage('detail') } }
      : item,
  )
}

function groupOf({ file }: ChecklistItem): number {
  return GROUPS.indexOf(file.split('/')[0])
}
