import type { CoverageItem } from '../records/coverage.ts'
import { categoryOf } from '../indexing/applicable-files.ts'
import { heading, remark, sentenceCase, table } from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'

const COUNTED = ['addressed', 'deferred', 'pending', 'na'] as const

/** Open items in a summary, and for one reason at least; the appendix has them all. */
const LISTED_MAX = 40
const LISTED_MIN = 3

/** Groups of files: those that apply to few projects say most about one. */
const BY_FIT = ['compliance', 'patterns', 'providers', 'frameworks', 'general', 'failures']

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
  const byReason = Map.groupBy(open, ({ status, reason }) => {
    const why = reason?.trim() ?? ''
    return [sentenceCase(status), ...(why === '' ? [] : [why])].join(': ')
  })
  const groups = [...byReason].toSorted(
    ([, a], [, b]) => criticalIn(b) - criticalIn(a) || b.length - a.length,
  )
  const rows = groups.map(([reason, items]) => [
    reason,
    String(criticalIn(items)),
    String(items.length - criticalIn(items)),
  ])
  const listed = groups.filter(([, items]) => items.some(isListed))
  const most = Math.max(LISTED_MIN, Math.floor(LISTED_MAX / Math.max(1, listed.length)))
  return [
    heading(2, 'Open items'),
    table([1, 0, 0], ['Reason', 'Critical', 'Others'], rows),
    ...listed.flatMap(([reason, items]) => openItems(reason, items.filter(isListed), most)),
  ]
}

/** Recommended and optional items that are put off are only counted. */
function isListed({ priority, status }: CoverageItem): boolean {
  return priority === 'Critical' || status === 'pending'
}

/** The items that are open for one reason, those that fit the project first. */
function openItems(
  reason: string,
  items: readonly CoverageItem[],
  most: number,
): readonly PdfPart[] {
  const shown = items
    .toSorted((a, b) => criticalIn([b]) - criticalIn([a]) || fitOf(a) - fitOf(b))
    .slice(0, most)
  const rows = shown.map(({ priority, item_text: text, knowledge_file: file }) => [
    priority,
    text,
    categoryOf(file),
  ])
  return [
    heading(3, reason, false),
    table([0, 1, 0], ['Priority', 'Item', 'Category'], rows),
    ...(items.length > most ? [remark(`${items.length - most} more for this reason.`)] : []),
  ]
}

function criticalIn(items: readonly CoverageItem[]): number {
  return items.filter(({ priority }) => priority === 'Critical').length
}

function fitOf({ knowledge_file: file }: CoverageItem): number {
  return BY_FIT.indexOf(file.split('/')[0])
}

/** Such as `27 addressed, 214 deferred`. */
export function countsOf(items: readonly CoverageItem[]): string {
  return COUNTED.map((status) => [items.filter((item) => item.status === status).length, status])
    .filter(([count]) => count !== 0)
    .map(([count, status]) => `${count} ${status === 'na' ? 'not applicable' : status}`)
    .join(', ')
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
