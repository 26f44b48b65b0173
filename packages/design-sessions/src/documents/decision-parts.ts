import type { Adr } from '../records/adrs.ts'
import { fencedLines } from '../markdown/fenced-lines.ts'
import { day, heading, markdown, sentenceCase, table } from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'
import { adrName } from './version-records.ts'

/** All decisions in a table, then each with its parts. */
export function decisionParts(adrs: readonly Adr[]): readonly PdfPart[] {
  if (adrs.length === 0) return []
  const rows = adrs.map(({ adr_number: number, title, status, updated_at: date }) => [
    adrName(number),
    title,
    sentenceCase(status),
    day(date),
  ])
  return [
    table([0, 1, 0, 0], ['Record', 'Decision', 'Status', 'Date'], rows),
    ...adrs.flatMap((adr) => decision(adr, adrs)),
  ]
}

function decision(adr: Adr, all: readonly Adr[]): readonly PdfPart[] {
  const successor = all.find(({ id }) => id === adr.superseded_by)
  const former = all.filter((other) => other.superseded_by === adr.id)
  const state = [
    sentenceCase(adr.status) + (successor ? ` by ${nameOf(successor)}` : ''),
    day(adr.updated_at),
    ...former.map((other) => `supersedes ${nameOf(other)}`),
  ]
  const { context, options } = withOptionsApart(adr.context)
  const parts = [
    ['Context', context],
    ['Options', options],
    ['Decision', adr.decision],
    ['Consequences', adr.consequences],
  ] as const
  return [
    { ...heading(2, nameOf(adr)), note: state.join(' · ') },
    ...parts.flatMap(([title, text]) =>
      text.trim() ? [heading(3, title, false), markdown(text, 3)] : [],
    ),
  ]
}

function nameOf({ adr_number: number, title }: Adr): string {
  return `${adrName(number)} ${title}`
}

const OPTIONS =
  /^ {0,3}(#{1,6})[ \t]+(?:considered )?(?:options|alternatives)(?: considered)?[ \t:#]*$/i

/** Decision files keep their options in a section of the context. */
function withOptionsApart(text: string): { readonly context: string; readonly options: string } {
  const lines = fencedLines(text.split('\n'))
  const start = lines.findIndex(({ text: line, role }) => role === 'text' && OPTIONS.test(line))
  if (start < 0) return { context: text, options: '' }
  const level = OPTIONS.exec(lines[start].text)?.[1].length ?? 1
  const isNext = new RegExp(`^ {0,3}#{1,${level}}[ \\t]`)
  const after = lines.findIndex(
    ({ text: line, role }, i) => i > start && role === 'text' && isNext.test(line),
  )
  const end = after < 0 ? lines.length : after
  const joined = (part: typeof lines): string => part.map((line) => line.text).join('\n')
  return {
    context: joined([...lines.slice(0, start), ...lines.slice(end)]),
    options: joined(lines.slice(start + 1, end)),
  }
}
