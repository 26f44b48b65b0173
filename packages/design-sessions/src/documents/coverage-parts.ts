import type { CoverageItem } from '../records/coverage.ts'
import { categoryOf } from '../indexing/applicable-files.ts'
import {
  heading,
  paragraph,
  plain,
  remark,
  sentenceCase,
  table,
} from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'

const COUNTED = ['addressed', 'deferred', 'pending', 'na'] as const

/** Open items in a summary; the appendix has them all. */
const LISTED_MAX = 40

/** Counts by category, and what is open. */
export function coverageParts(coverage: readonly CoverageItem[]): readonly PdfPart[] {
  if (coverage.length === 0) return []
  const byCategory = Map.groupBy(coverage, ({ knowledge_file: file }) => categoryOf(file))
  const counts = [...byCategory, ['All', coverage] as const].map(([category, items]) => [
    category,
    String(items.length),
    ...COUNTED.map((status) => String(items.filter((item) => item.status === status).length)),
  ])
  const head = ['Category', 'Items', 'Addressed', 'Deferred', 'Pending', 'Not applicable']
  return [table([1, 0, 0, 0, 0, 0], head, counts), ...openParts(coverage)]
}

function openParts(coverage: readonly CoverageItem[]): readonly PdfPart[] {
  const open = coverage.filter(({ status }) => status === 'pending' || status === 'deferred')
  if (open.length === 0) return [remark('Nothing is open.')]
  const isListed = ({ priority, status }: CoverageItem): boolean =>
    priority === 'Critical' || status === 'pending'
  const [listed, others] = [open.filter(isListed), open.filter((item) => !isListed(item))]
  const shown = listed
    .toSorted((a, b) => Number(b.priority === 'Critical') - Number(a.priority === 'Critical'))
    .slice(0, LISTED_MAX)
  const reasons = [...Map.groupBy(others, ({ reason }) => reason?.trim() || 'Without a reason')]
  return [
    heading(2, 'Open items'),
    ...(shown.length === 0
      ? [remark('No critical item is open, and none is pending.')]
      : [itemTable(shown)]),
    ...(listed.length > shown.length
      ? [remark(`${listed.length - shown.length} more are in the list of all coverage items.`)]
      : []),
    ...(reasons.length === 0
      ? []
      : [
          paragraph(plain('Recommended and optional items that are deferred, by reason:')),
          table(
            [1, 0],
            ['Reason', 'Items'],
            reasons
              .toSorted(([, a], [, b]) => b.length - a.length)
              .slice(0, LISTED_MAX)
              .map(([reason, items]) => [reason, String(items.length)]),
          ),
        ]),
  ]
}

/** All items, file by file. */
export function coverageItemParts(coverage: readonly CoverageItem[]): readonly PdfPart[] {
  const byFile = Map.groupBy(coverage, ({ knowledge_file: file }) => file)
  return [...byFile].flatMap(([file, items]) => [heading(2, file, false), itemTable(items)])
}

function itemTable(items: readonly CoverageItem[]): PdfPart {
  const rows = items.map(({ priority, item_text: text, status, reason }) => [
    priority,
    text,
    status === 'na' ? 'Not applicable' : sentenceCase(status),
    reason ?? '',
  ])
  return table([0, 3, 0, 2], ['Priority', 'Item', 'Status', 'Reason'], rows)
}

const ITEM = /^- \[[ x]\] \*\*\[(?:Critical|Recommended|Optional)\]\*\*/

/** Whether a document only lists checklist items, which a report sums up. */
export function isChecklist(source: string): boolean {
  const lines = source.split('\n').filter((line) => line.trim())
  return lines.filter((line) => ITEM.test(line)).length * 2 > lines.length
}
