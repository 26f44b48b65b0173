import { type Line, fencedLines } from '../documents/fenced-lines.ts'
import { literalLine } from '../documents/literal.ts'
import { tableOf } from '../documents/template-context.ts'
import type { Adr } from '../records/adrs.ts'
import { recordName } from './decision.ts'

/** What the table of a log tells of a decision. */
export type AdrEntry = Pick<
  Adr,
  'id' | 'adr_number' | 'title' | 'status' | 'superseded_by' | 'updated_at'
>

/**
 * Decisions as one document, piece by piece: a table of them, then each in full.
 *
 * @param of  whose they are
 * @param entries  of the table
 * @param numbers  of all of the version, by id
 * @param pages  the same decisions as the table, in full
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
  return [
    `## ${recordName(adr.adr_number)}: ${literalLine(adr.title)}`,
    `Status: ${status}`,
    `### Context and Problem Statement\n\n${lowered(adr.context)}`,
    `### Decision Outcome\n\n${lowered(adr.decision)}`,
    `### Consequences\n\n${lowered(adr.consequences)}`,
  ].join('\n\n')
}

/** How many levels a text's headings go down, as it stands below one of the third. */
const LOWERED = 3
const LEVEL_MAX = 6

/** A text whose headings stand below those around it, and whose code ends with it. */
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
