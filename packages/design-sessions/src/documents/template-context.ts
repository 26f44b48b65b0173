import type { Adr } from '../records/adrs.ts'
import type { Question } from '../records/questions.ts'
import { driverList, optionList } from './decision-lists.ts'
import { embedded, labelled } from '../markdown/embedded.ts'
import { literalCell, literalLine } from '../markdown/literal.ts'
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

export function factsOf({ records }: TemplateContext): string {
  if (!records) return ''
  const { description, cloud_providers: providers, ...project } = records.project
  const { architecture_pattern: pattern, compliance_frameworks: frameworks } = project
  const facts = [
    ['Providers', providers.join(', ')],
    ['Architecture pattern', pattern ?? ''],
    ['Compliance', frameworks.join(', ')],
  ]
  const lines = facts.filter(([, value]) => value !== '')
  const list = lines.map(([name, value]) => `- ${name}: ${literalLine(value)}`).join('\n')
  const about = description?.trim() ? embedded(description, 2) : ''
  return joined(about, list).trimEnd()
}

export function diagramsOf({ records }: TemplateContext): string {
  const diagrams = records?.artifacts.filter(({ artifact_type: type }) => type === 'diagram') ?? []
  return diagrams.map(({ id, name }) => `![${literalLine(name)}](artifact:${id})`).join('\n\n')
}

/** Decisions, one line each; with words, with spaces between them, those that name one. */
export function decisionsOf({ records }: TemplateContext, words = ''): string {
  const names = new RegExp(`\\b(?:${words.replaceAll(' ', '|')})\\b`, 'i')
  const adrs = (records?.adrs ?? []).filter(
    ({ title, decision }) => words === '' || names.test(`${title} ${decision}`),
  )
  if (adrs.length === 0) return ''
  return tableOf(
    ['Record', 'Decision', 'Status'],
    adrs.map(({ adr_number: number, title, status }) => [adrName(number), title, status]),
  )
}

export function decisionTextsOf({ records }: TemplateContext): string {
  return (records?.adrs ?? []).map(decisionText).join('\n\n')
}

/** Levels that headings inside of a decision, and of an answer, are lowered by. */
const IN_DECISION = 3
const IN_ANSWER = 2

/** A decision with its parts. */
export function decisionText(adr: Adr): string {
  const line = (text: string): string => embedded(text.replaceAll(/\s+/g, ' '), IN_DECISION)
  const part = (name: string, text: string): readonly string[] =>
    text.trim() === '' ? [] : [labelled(`${name}.`, text, ' ')]
  return [
    `### ${adrName(adr.adr_number)}: ${literalLine(adr.title)}`,
    [`Status: ${adr.status}`, ...(adr.date === null ? [] : [adr.date])].join(', '),
    ...part('Context', embedded(adr.context, IN_DECISION)),
    ...part('Drivers', driverList(adr, line)),
    ...part('Options', optionList(adr, line)),
    ...part('Decision', embedded(adr.decision, IN_DECISION)),
    ...part('Consequences', embedded(adr.consequences, IN_DECISION)),
  ].join('\n\n')
}

/** Answered questions of some categories, with spaces between them. */
export function answersOf({ records }: TemplateContext, words: string): string {
  const categories = words.split(' ')
  const found = (records?.questions ?? []).filter(
    ({ category, answer_text: answer }) => categories.includes(category) && answer?.trim(),
  )
  return found.map(answerText).join('\n\n')
}

/** A question with its answer. */
export function answerText({ question_text: question, answer_text: answer }: Question): string {
  return labelled(literalLine(question), embedded(answer ?? '', IN_ANSWER), '\\\n')
}

/** Critical items open for the same reason that are named; more are counted. */
const NAMED_MAX = 5

/** Open questions and critical items, and the number of other open items. */
export function openPointsOf({ records }: TemplateContext): string {
  const questions = (records?.questions ?? []).filter(
    ({ status }) => status === 'open' || status === 'deferred',
  )
  const items = (records?.coverage ?? []).filter(
    ({ status }) => status === 'pending' || status === 'deferred',
  )
  const critical = items.filter(({ priority }) => priority === 'Critical')
  const others = items.length - critical.length
  const byReason = Map.groupBy(critical, ({ status, reason }) => {
    const why = reason?.trim() ? `: ${literalLine(reason)}` : ''
    return `Critical, ${status}${why}`
  })
  return [
    ...questions.map(({ question_text: text, status }) => `${literalLine(text)} (${status})`),
    ...[...byReason].flatMap(([why, open]) =>
      open.length > NAMED_MAX
        ? [`Checklist items: ${open.length} (${why})`]
        : open.map(({ item_text: text }) => `${literalLine(text)} (${why})`),
    ),
    ...(others === 0
      ? []
      : [`Recommended and optional checklist items, pending or deferred: ${others}`]),
  ]
    .map((point) => `- [ ] ${point}`)
    .join('\n')
}
