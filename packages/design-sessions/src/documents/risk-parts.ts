import type { CoverageItem } from '../records/coverage.ts'
import { heading, remark, table } from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'

/** Items that are put off, the first due date first, and how many critical ones lack an owner. */
export function riskParts(coverage: readonly CoverageItem[]): readonly PdfPart[] {
  const deferred = coverage.filter(({ status }) => status === 'deferred')
  const isOwned = ({ owner, due_date: due }: CoverageItem): boolean =>
    owner !== null && due !== null
  const lost = deferred.filter((item) => item.priority === 'Critical' && !isOwned(item)).length
  const listed = deferred
    .filter(({ owner, due_date: due }) => owner !== null || due !== null)
    .toSorted((a, b) => order(a) - order(b))
  if (listed.length === 0) return []
  const rows = listed.map(({ priority, item_text: text, reason, owner, due_date: due }) => [
    priority,
    text,
    reason ?? '',
    owner ?? '',
    due ?? '',
  ])
  return [
    heading(2, 'Risks that were accepted for now'),
    table([0, 3, 2, 0, 0], ['Priority', 'Item', 'Reason', 'Owner', 'Due'], rows),
    ...(lost === 0 ? [] : [remark(`${lost} critical items are put off without owner and date.`)]),
  ]
}

/** [ms since 1970]; without a date last */
function order({ due_date: due }: CoverageItem): number {
  return due === null ? Number.MAX_SAFE_INTEGER : Date.parse(due)
}
