import type { Adr } from '../records/adrs.ts'
import { fencedLines } from '../markdown/fenced-lines.ts'
import { day, heading, markdown, sentenceCase, table } from '../typesetting/pdf-blocks.ts'
import type { PdfPart } from '../typesetting/pdf-input.ts'
import { driverList, optionList } from './decision-lists.ts'
import { adrName } from './version-records.ts'

/** All decisions in a table, then each with its parts. */
export function decisionParts(adrs: readonly Adr[]): readonly PdfPart[] {
  if (adrs.length === 0) return []
  const rows = adrs.map((adr) => [
    adrName(adr.adr_number),
    adr.title,
    sentenceCase(adr.status),
    dateOf(adr),
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
    dateOf(adr),
    ...former.map((other) => `supersedes ${nameOf(other)}`),
    ...(adr.decision_makers.length === 0 ? [] : [`decided by ${adr.decision_makers.join(', ')}`]),
  ]
  const { context, options } = withOptionsApart(adr.context)
  const parts = [
    ['Context', context],
    ['Drivers', driverList(adr)],
    ['Options', [optionList(adr), options].filter((text) => text.trim()).join('\n\n')],
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

/** The day of the decision, or of the record's last change. */
function dateOf({ date, updated_at }: Adr): string {
  return date ?? day(updated_at)
}

function nameOf({ adr_number: number, title }: Adr): string {
  return `${adrName(number)} ${title}`
}

const OPTIONS =
  /^ {0,3}(#{1,6})[ \t]+(?:considered )?(?:options|alternatives)(?: considered)?[ \t:#]*$/i

/** Options of a decision that are no list are a section of its context. */
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
