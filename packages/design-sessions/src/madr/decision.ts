import { issueReason } from '@orrery/http'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { literalLine } from '../markdown/literal.ts'
import { type Unprocessable, unprocessable } from '../errors.ts'
import { type Adr, type AdrFields, DECISION_FIELDS, adrs } from '../records/adrs.ts'
import {
  type DecisionFile,
  type FrontMatter,
  type Section,
  decisionFile,
  frontMatter,
  sectionText,
} from './decision-file.ts'
import { type Metadata, metadataLines, metadataOf } from './metadata.ts'
import { bullets, decisionLists, listSections } from './option-lists.ts'

/** The fields of a decision in its file. */
export type WrittenAdr = Pick<Adr, 'adr_number' | 'superseded_by' | keyof AdrFields>

/** `ADR-0001`, as in MADR. */
export function recordName(number: number | undefined): string {
  return `ADR-${String(number ?? '').padStart(4, '0')}`
}

/**
 * Writes a MADR file from which {@link decisionFrom} reads equal fields. Lines that would begin a
 * section are escaped only where the fields would differ.
 *
 * @param successor  number of the superseding decision
 * @source https://adr.github.io/madr/ 4.0.0
 */
export function decisionSource(adr: WrittenAdr, successor?: number): string {
  const plain = written(adr, successor, false)
  const { fields } = fieldsOf(plain)
  const isKept = DECISION_FIELDS.every((key) => isDeepStrictEqual(fields[key], adr[key]))
  return isKept ? plain : written(adr, successor, true)
}

/** Lines of a file. */
const LINES_MAX = 50_000

function written(adr: WrittenAdr, successor: number | undefined, quoted: boolean): string {
  const heading = `${recordName(adr.adr_number)}: ${literalLine(adr.title, { alone: true })}`
  const status = successor === undefined ? adr.status : `superseded by ${recordName(successor)}`
  const isOneLine = titleOf(heading).title === adr.title
  const part = (text: string): string => sectionText(text, { quoted })
  const { before, after } = listSections(adr)
  const lines = [
    ['---', `status: ${status}`, ...metadataLines(adr)],
    isOneLine ? [] : [`title: ${JSON.stringify(adr.title)}`],
    ['---', '', `# ${heading}`],
    ['', '## Context and Problem Statement', '', part(adr.context), ...before],
    ['', '## Decision Outcome', '', part(adr.decision)],
    adr.consequences === '' ? [] : ['', '### Consequences', '', part(adr.consequences)],
    [...after, ''],
  ]
  return lines.flat().join('\n')
}

/**
 * Reads a file in the form of MADR or Nygard. Parts without a field (other metadata and sections,
 * drivers and options that are more than lists of lines) go into the context.
 *
 * @throws {HttpError} 422 naming the missing sections
 */
export function decisionFrom(source: string): AdrFields {
  if (source.split('\n', LINES_MAX + 1).length > LINES_MAX) {
    const msg = `must have at most ${LINES_MAX} lines`
    throw unprocessable([{ type: 'too_long', loc: ['body'], msg }])
  }
  const { fields, issues } = fieldsOf(source)
  if (issues.length > 0) throw unprocessable(issues)
  const checked = v.safeParse(adrs.create, fields, { message: issueReason })
  if (checked.success) return checked.output
  throw unprocessable(
    checked.issues.map(({ type, path, message }) => ({
      type,
      loc: ['body', ...(path ?? []).map(({ key }) => String(key))],
      msg: message,
    })),
  )
}

interface FoundFields {
  readonly fields: Partial<Pick<Adr, (typeof DECISION_FIELDS)[number]>>
  readonly issues: readonly Unprocessable[]
}

function fieldsOf(source: string): FoundFields {
  const matter = frontMatter(isWindows(source) ? source.replaceAll('\r\n', '\n') : source)
  const file = decisionFile(matter.body)
  const { title: heading, own } = titleOf(file.title ?? '')
  const title = own || heading === '' ? (matter.values.get('title') ?? heading) : heading
  const { text, preamble, sections } = statusText(matter, file)
  const status = statusOf(text, own)
  const context = fieldText(sections, 'context')
  const consequences = fieldText(sections, 'consequences')
  // A template's bullets that were left as they are.
  const isUnfilled = !own && bullets(consequences.split('\n'))?.length === 0
  const known = metadataOf(matter, preamble)
  const { others, ...lists } = decisionLists(sections.filter(isList))
  const besides = [
    ...sections.filter((one) => isApart(one) || others.includes(one)).map(titled),
    ...(status.isPlain ? [] : [`## Status\n\n${text}`]),
    ...metadata(known, title),
  ]
  const fields = {
    title,
    ...(status.word !== undefined && { status: status.word }),
    date: known.date,
    decision_makers: known.makers,
    context: [context, ...besides].join('\n\n'),
    ...lists,
    decision: fieldText(sections, 'decision'),
    consequences: isUnfilled ? '' : consequences,
  }
  return { fields, issues: missing({ ...fields, context }).concat(status.issues) }
}

function isList({ subject }: Section): boolean {
  return subject === 'drivers' || subject === 'options' || subject === 'arguments'
}

function isApart({ subject }: Section): boolean {
  return subject === 'other' || subject === 'status'
}

const NEEDED = {
  title: 'The title, `# Title`, is missing',
  context: 'The section `## Context and Problem Statement` (or `## Context`) is missing',
  decision: 'The section `## Decision Outcome` (or `## Decision`) is missing',
} as const

function missing(fields: Readonly<Record<keyof typeof NEEDED, string>>): Unprocessable[] {
  const keys = Object.keys(NEEDED) as (keyof typeof NEEDED)[]
  return keys
    .filter((key) => fields[key].trim() === '')
    .map((key) => ({ type: 'missing', loc: ['body', key], msg: NEEDED[key] }))
}

/** Whether all lines end with CR LF; our own files have lines that never do. */
function isWindows(source: string): boolean {
  return !/(?<!\r)\n/.test(source)
}

const OWN_NUMBER = /^ADR-\d{4,}: /
const NUMBER = /^(?:ADR[ -]?\d+[.:]?|\d+\.)[ \t]+(?:[-–—][ \t]+)?/i

/** A title without its number and escapes. */
function titleOf(heading: string): { readonly title: string; readonly own: boolean } {
  const own = OWN_NUMBER.test(heading)
  const title = heading.replace(own ? OWN_NUMBER : NUMBER, '')
  return { title: title.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), own }
}

function fieldText(sections: readonly Section[], subject: Section['subject']): string {
  return sections
    .filter((section) => section.subject === subject && section.text.trim() !== '')
    .map((section) => (section.main ? section.text : titled(section)))
    .join('\n\n')
}

function titled({ heading, text }: Section): string {
  return text === '' ? heading : `${heading}\n\n${text}`
}

const STATUS_LINE = /^[ \t]*(?:[-*+][ \t]+)?\**status\**:\**[ \t]*(\S[^]*)$/i

/** The status from the front matter, a line below the title, or a section; and the rest. */
function statusText(
  { values }: FrontMatter,
  { sections: [{ text: head }, ...sections] }: DecisionFile,
): { readonly text: string; readonly preamble: string; readonly sections: readonly Section[] } {
  const status = values.get('status') ?? ''
  if (status !== '') return { text: status, preamble: head, sections }
  const lines = head.split('\n')
  const at = lines.findIndex((line) => STATUS_LINE.test(line))
  if (at !== -1) {
    const text = STATUS_LINE.exec(lines[at])?.[1].trim() ?? ''
    return { text, preamble: lines.toSpliced(at, 1).join('\n').trim(), sections }
  }
  const section = sections.find(({ subject }) => subject === 'status')
  const others = sections.filter((one) => one !== section)
  return { text: section?.text ?? '', preamble: head, sections: others }
}

const STATUSES: ReadonlyMap<string, AdrFields['status']> = new Map([
  ['proposed', 'proposed'],
  ['accepted', 'accepted'],
  ['deprecated', 'deprecated'],
  ['superseded', 'superseded'],
  // The spelling of adr-tools.
  ['superceded', 'superseded'],
  // The nearest status; the context keeps the original.
  ['rejected', 'deprecated'],
])

/** @param own  the file is ours: its reference to a successor is dropped */
function statusOf(
  text: string,
  own: boolean,
): {
  readonly word?: AdrFields['status'] | undefined
  /** whether the text is only the word */
  readonly isPlain: boolean
  readonly issues: readonly Unprocessable[]
} {
  if (text === '') return { isPlain: true, issues: [] }
  const isSuperseded = /^[^\w\n]*super[sc]eded/im.test(text)
  const first = isSuperseded ? 'superseded' : (/[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '')
  const word = STATUSES.get(first)
  const plain = own ? text.replace(/^superseded by ADR-\d+$/, 'superseded') : text
  const isPlain = plain.trim().toLowerCase() === word
  if (word !== undefined) return { word, isPlain, issues: [] }
  const msg = `The status must be one of ${[...STATUSES.keys()].join(', ')}`
  return { isPlain, issues: [{ type: 'enum', loc: ['body', 'status'], msg, input: text }] }
}

/** Metadata without a field, such as those who were consulted. */
function metadata({ others: { lines, values }, preamble }: Metadata, title: string): string[] {
  const entries = [...lines]
    .filter(([key, [line, ...others]]) => {
      const value = line.slice(line.indexOf(':') + 1).trim()
      const isOwn = key === 'status' || (key === 'title' && values.get(key) === title)
      return !isOwn && (value !== '' || others.some((other) => other.trim() !== ''))
    })
    .map(([, all]) => `- ${all.join('\n')}`)
  const parts = [entries.join('\n'), preamble].filter((part) => part !== '')
  return parts.length === 0 ? [] : [`## Metadata\n\n${parts.join('\n\n')}`]
}
