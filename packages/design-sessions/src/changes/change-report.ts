import { capitalised } from '../capitalised.ts'
import { literalLine } from '../markdown/literal.ts'
import { joined, tableOf } from '../documents/template-context.ts'
import { adrName } from '../documents/version-records.ts'
import {
  type Change,
  type Changed,
  KINDS,
  type Kind,
  type Named,
  type Shown,
  type VersionDiff,
} from './differences.ts'
import { COMPARED } from './compared-rows.ts'
import { sourceDiff } from './field-changes.ts'
import { pauses } from '../pauses.ts'

const CELL_MAX = 120

const NAME_MAX = 300

/** The differences of two versions as a Markdown document. */
export async function changeReport(diff: VersionDiff): Promise<string> {
  const { version, against, scope, summary } = diff
  const numbers = [against, version].map(({ version_number: number }) => literalLine(number))
  const counts = KINDS.map((kind) => {
    const { added, removed, changed, unchanged } = summary[kind]
    return [capitalised(kind), ...[added, removed, changed, unchanged].map(String)]
  })
  const parts = [
    `# Changes from ${numbers.join(' to ')}`,
    tableOf(['', 'Added', 'Removed', 'Changed', 'Unchanged'], counts),
  ]
  if (scope.length > 0) parts.push('## Version', ...changesOf(scope))
  const pause = pauses()
  const shown = async <One>(
    records: readonly One[],
    textOf: (record: One) => string,
  ): Promise<readonly string[]> => {
    const texts: string[] = []
    for (const record of records) {
      await pause()
      texts.push(textOf(record))
    }
    return texts
  }
  for (const kind of KINDS) {
    const { added, removed, changed } = diff[kind]
    if (added.length + removed.length + changed.length > 0) parts.push(`## ${capitalised(kind)}`)
    const line = (record: Named): string => `- ${nameOf(kind, record)}`
    if (added.length > 0) parts.push('### Added', (await shown(added, line)).join('\n'))
    if (removed.length > 0) parts.push('### Removed', (await shown(removed, line)).join('\n'))
    const tables = await shown(changed, (one) => changedRecord(kind, one))
    if (changed.length > 0) parts.push('### Changed', ...tables)
  }
  return joined(...parts)
}

function nameOf(kind: Kind, record: Named): string {
  const { names, facts } = COMPARED[kind]
  const shownField = (field: string): string =>
    field === 'adr_number' ? adrName(Number(record[field])) : text(record[field])
  const name = names.map(shownField).join(': ')
  const short = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX).toWellFormed()}…` : name
  const also = facts.map((field) => text(record[field])).filter((fact) => fact !== '')
  return literalLine(`${short} (${also.join(', ')})`)
}

function changedRecord(kind: Kind, { record, changes }: Changed): string {
  return [`#### ${nameOf(kind, record)}`, ...changesOf(changes)].join('\n\n')
}

function changesOf(changes: readonly Change[]): readonly string[] {
  const rows: string[][] = []
  const below: string[] = []
  for (const change of changes) {
    const diff = lineByLine(change)
    if (diff !== undefined) below.push(`${literalLine(change.field)}:`, fenced(diff))
    else rows.push([change.field, text(change.from), text(change.to)])
    if (change.diff === null) below.push('The sources are too different to be shown line by line.')
  }
  const table = rows.length === 0 ? [] : [tableOf(['Field', 'Before', 'After'], rows)]
  return [...table, ...below]
}

/** A line diff of values that are too long for a table's cell. */
function lineByLine({ diff, from, to }: Change): string | undefined {
  if (diff !== undefined) return diff ?? undefined
  const isLong = [from, to].some(
    (value) => text(value).length > CELL_MAX || text(value).includes('\n'),
  )
  return isLong ? sourceDiff(ended(from), ended(to)) : undefined
}

/** A text that ends with a line feed. */
function ended(value: Shown): string {
  return text(value) === '' ? '' : `${text(value)}\n`
}

function fenced(diff: string): string {
  // Longer than any fence within, so that none closes it.
  const longest = Math.max(2, ...[...diff.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`
}

function text(value: Shown): string {
  return String(value ?? '')
}
