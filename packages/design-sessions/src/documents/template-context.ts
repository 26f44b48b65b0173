import type { Question } from '../records/questions.ts'
import { literalCell, literalLine, literalLines } from './literal.ts'
import { type VersionRecords, adrName } from './version-records.ts'

/** The input of a template; without records only the name is known. */
export interface TemplateContext {
  readonly projectName: string
  readonly records: VersionRecords | undefined
}

/** Creates the source of a document. Texts of users are escaped. */
export type Template = (context: TemplateContext) => string

/** Joins parts by empty lines; empty parts are left out. */
export function joined(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** What is to be written, for the author: a comment, which is not shown. */
export function hint(text: string): string {
  return `<!-- ${text.replaceAll('-->', '')} -->`
}

/** The title and version of a document. */
export function titleOf({ projectName, records }: TemplateContext, what: string): string {
  const title = `# ${literalLine(projectName, { alone: true })}: ${what}`
  if (!records) return title
  const { client, version } = records
  const label = version.label?.trim() ? ` (${literalLine(version.label)})` : ''
  const number = `Version ${literalLine(version.version_number)}${label}`
  return `${title}\n\n${number}, ${version.status}, for ${literalLine(client.name)}`
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.map((cell) => literalCell(cell) || ' ').join(' | ')} |`),
  ].join('\n')
}

/** A table for the author to fill in. */
export function emptyTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return hint(`\n${tableOf(head, rows)}\n`)
}

export function factsOf({ records }: TemplateContext): string {
  if (!records) return hint('What is built, for whom, and why.')
  const { description, cloud_providers: providers, ...project } = records.project
  const { architecture_pattern: pattern, compliance_frameworks: frameworks } = project
  const facts = [
    ['Providers', providers.join(', ')],
    ['Architecture pattern', pattern ?? ''],
    ['Compliance', frameworks.join(', ')],
  ]
  const lines = facts.filter(([, value]) => value !== '')
  const list = lines.map(([name, value]) => `- ${name}: ${literalLine(value)}`).join('\n')
  const about = description?.trim() ? literalLines(description) : hint('What is built, and why.')
  return list === '' ? about : `${about}\n\n${list}`
}

export function diagramsOf({ records }: TemplateContext): string {
  const diagrams = records?.artifacts.filter(({ artifact_type: type }) => type === 'diagram') ?? []
  if (diagrams.length === 0) return hint('The diagrams, from conceptual to deployment.')
  return diagrams.map(({ id, name }) => `![${literalLine(name)}](artifact:${id})`).join('\n\n')
}

/** Decisions, one line each. */
export function decisionsOf({ records }: TemplateContext): string {
  const adrs = records?.adrs ?? []
  if (adrs.length === 0) return hint('The decisions, each with its record.')
  return tableOf(
    ['Record', 'Decision', 'Status'],
    adrs.map(({ adr_number: number, title, status }) => [adrName(number), title, status]),
  )
}

export function decisionTextsOf({ records }: TemplateContext): string {
  const adrs = records?.adrs ?? []
  if (adrs.length === 0) return hint('The decisions, each with its context and consequences.')
  return adrs
    .map(({ adr_number: number, title, status, context, decision, consequences }) =>
      [
        `### ${adrName(number)}: ${literalLine(title)}`,
        `Status: ${status}`,
        `**Context.** ${literalLines(context)}`,
        `**Decision.** ${literalLines(decision)}`,
        `**Consequences.** ${literalLines(consequences)}`,
      ].join('\n\n'),
    )
    .join('\n\n')
}

/** Answered questions of some categories; the hint when there are none. */
export function answersOf(
  { records }: TemplateContext,
  categories: readonly Question['category'][],
  otherwise: string,
): string {
  const found = (records?.questions ?? []).filter(
    ({ category, answer_text: answer }) => categories.includes(category) && answer?.trim(),
  )
  if (found.length === 0) return hint(otherwise)
  return found
    .map(({ question_text: question, answer_text: answer }) =>
      [`**${literalLine(question)}**`, literalLines(answer ?? '')].join('\\\n'),
    )
    .join('\n\n')
}

/** Open questions and critical items, and the number of other open items. */
export function openPointsOf({ records }: TemplateContext): string {
  const questions = (records?.questions ?? []).filter(
    ({ status }) => status === 'open' || status === 'deferred',
  )
  const items = (records?.coverage ?? []).filter(
    ({ status }) => status === 'pending' || status === 'deferred',
  )
  if (questions.length + items.length === 0) return hint('What is not settled yet, and who does.')
  const critical = items.filter(({ priority }) => priority === 'Critical')
  const others = items.length - critical.length
  return [
    ...questions.map(({ question_text: text, status }) => `- [ ] ${literalLine(text)} (${status})`),
    ...critical.map(({ item_text: text, priority, status, reason }) => {
      const why = reason?.trim() ? `: ${literalLine(reason)}` : ''
      return `- [ ] ${literalLine(text)} (${priority}, ${status}${why})`
    }),
    ...(others === 0
      ? []
      : [`- [ ] Recommended and optional checklist items, pending or deferred: ${others}`]),
  ].join('\n')
}
