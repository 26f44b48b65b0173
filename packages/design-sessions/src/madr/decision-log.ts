import { type Line, fencedLines } from '../markdown/fenced-lines.ts'
import { literalLine } from '../markdown/literal.ts'
import { driverList, optionList } from '../documents/decision-lists.ts'
import { tableOf } from '../documents/template-context.ts'
import type { Adr } from '../records/adrs.ts'
import { recordName } from './decision.ts'

/** A decision in the table of a log. */
export type AdrEntry = Pick<
  Adr,
  'id' | 'adr_number' | 'title' | 'status' | 'superseded_by' | 'updated_at'
>

/**
 * Streams decisions as one document: a table, then each in full.
 *
 * @param of  name of the version
 * @param entries  of the table
 * @param numbers  of all decisions of the version, by id
 * @param pages  the decisions of the table, in full
 */
export async function* decisionLog(
  of: string,
  entries: readonly AdrEntry[],
  numbers: ReadonlyMap<string, number>,
  pages: AsyncIterable<readonly Adr[]>,
): AsyncGenerator<string> {
  const statusOf = ({ status, superseded_by: id }: AdrEntry): string =>
    id === null ? status : `superseded by ${recordName(numbers.get(id))}`
  const index = tableOf(
    ['Record', 'Decision', 'Status', 'Changed'],
    entries.map((entry) => [
      recordName(entry.adr_number),
      entry.title,
      statusOf(entry),
      entry.updated_at.toISOString().slice(0, 10),
    ]),
  )
  const title = `# ${literalLine(of, { alone: true })}: decisions`
  yield `${title}\n\n${entries.length === 0 ? 'None is recorded.' : index}\n`
  for await (const adrs of pages) {
    yield adrs.map((adr) => `\n${record(adr, statusOf(adr))}\n`).join('')
  }
}

function record(adr: Adr, status: string): string {
  const facts = [
    ['Status', status],
    ['Date', adr.date ?? ''],
    ['Decision makers', literalLine(adr.decision_makers.join(', '))],
  ]
  const texts = [
    ['Context and Problem Statement', adr.context],
    ['Decision Drivers', driverList(adr)],
    ['Considered Options', optionList(adr)],
    ['Decision Outcome', adr.decision],
    ['Consequences', adr.consequences],
  ]
  return [
    `## ${recordName(adr.adr_number)}: ${literalLine(adr.title)}`,
    ...facts.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])),
    ...texts.flatMap(([name, text]) => (text === '' ? [] : [`### ${name}\n\n${lowered(text)}`])),
  ].join('\n\n')
}

/** Levels added to the headings of a text, which is below a heading of level 3. */
const LOWERED = 3
const LEVEL_MAX = 6

/** Lowers the headings of a text and closes its code blocks. */
function lowered(text: string): string {
  return fencedLines(text.split('\n')).map(loweredLine).join('\n')
}

function loweredLine({ text, role }: Line): string {
  if (role === 'unclosed') return text.replace(/^ */, '$&\\')
  if (role === 'code') return text
  return text.replace(/^( {0,3})(#{1,6})(?=\s|$)/, (_, indent: string, signs: string) => {
    const level = Math.min(signs.length + LOWERED, LEVEL_MAX)
    return indent + '#'.repeat(level)
  })
}
