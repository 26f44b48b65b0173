import { literalLine } from '../documents/literal.ts'
import { joined, tableOf } from '../documents/template-context.ts'
import { adrName } from '../documents/version-records.ts'
import {
  type Change,
  type Changed,
  KINDS,
  type Named,
  type Shown,
  type VersionDiff,
} from './comparison.ts'
import { pauses } from './matching.ts'
import { sourceDiff } from './source-diff.ts'

/** Characters of a value in a table's cell. */
const CELL_MAX = 120

/** Characters of a record's name in a heading or list. */
const NAME_MAX = 300

/** Fields that say which record it is, and those that say something of it besides. */
const NAMES: Readonly<Record<(typeof KINDS)[number], readonly [string[], string[]]>> = {
  decisions: [['adr_number', 'title'], ['status']],
  questions: [['question_text'], ['category', 'status']],
  artifacts: [['name'], ['artifact_type', 'detail_level', 'engine']],
  coverage: [
    ['knowledge_file', 'item_text'],
    ['priority', 'status'],
  ],
  inventory: [['name'], ['data_type']],
  uploads: [['original_filename'], ['file_size', 'content_type']],
}

/** What differs between two versions, as a Markdown document for people. */
export async function changeReport(diff: VersionDiff): Promise<string> {
  const { version, against, summary } = diff
  const numbers = [against, version].map(({ version_number: number }) => literalLine(number))
  const counts = KINDS.map((kind) => {
    const { added, removed, changed, unchanged } = summary[kind]
    return [capitalised(kind), ...[added, removed, changed, unchanged].map(String)]
  })
  const parts = [
    `# Changes from ${numbers.join(' to ')}`,
    tableOf(['', 'Added', 'Removed', 'Changed', 'Unchanged'], counts),
  ]
  const pause = pauses()
  for (const kind of KINDS) {
    const { added, removed, changed } = diff[kind]
    const listed = [
      ['Added', added, (record: Named) => `- ${nameOf(kind, record)}`, '\n'],
      ['Removed', removed, (record: Named) => `- ${nameOf(kind, record)}`, '\n'],
      ['Changed', changed, (one: Changed) => changedRecord(kind, one), '\n\n'],
    ] as const
    if (added.length + removed.length + changed.length > 0) parts.push(`## ${capitalised(kind)}`)
    for (const [title, records, shown, separator] of listed) {
      const texts: string[] = []
      for (const record of records) {
        await pause()
        texts.push(shown(record as Named & Changed))
      }
      if (texts.length > 0) parts.push(`### ${title}`, texts.join(separator))
    }
  }
  return joined(...parts)
}

function nameOf(kind: (typeof KINDS)[number], record: Named): string {
  const [names, facts] = NAMES[kind]
  const said = (field: string): string =>
    field === 'adr_number' ? adrName(Number(record[field])) : text(record[field])
  const name = names.map(said).join(': ')
  const short = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX).toWellFormed()}…` : name
  const also = facts.map((field) => text(record[field])).filter((fact) => fact !== '')
  return literalLine(`${short} (${also.join(', ')})`)
}

function changedRecord(kind: (typeof KINDS)[number], { record, changes }: Changed): string {
  const rows: string[][] = []
  const below: string[] = []
  for (const change of changes) {
    const diff = lineByLine(change)
    if (diff !== undefined) below.push(`${literalLine(change.field)}:`, fenced(diff))
    else rows.push([change.field, text(change.from), text(change.to)])
    if (change.diff === null) below.push('The sources are too different to be shown line by line.')
  }
  const table = rows.length === 0 ? [] : [tableOf(['Field', 'Before', 'After'], rows)]
  return [`#### ${nameOf(kind, record)}`, ...table, ...below].join('\n\n')
}

/** What does not fit into a table's cell, as a comparison of its lines. */
function lineByLine({ diff, from, to }: Change): string | undefined {
  if (diff !== undefined) return diff ?? undefined
  const isLong = [from, to].some((value) => text(value).length > CELL_MAX || /\n/.test(text(value)))
  return isLong ? sourceDiff(...([from, to].map(lines) as [string, string])) : undefined
}

/** Lines of a text, each with its end. */
function lines(value: Shown): string {
  const said = String(value ?? '')
  return said === '' ? '' : `${said}\n`
}

function fenced(diff: string): string {
  // Longer than any within, so that nothing within ends it.
  const longest = Math.max(2, ...[...diff.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`
}

function text(value: Shown): string {
  return String(value ?? '')
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
