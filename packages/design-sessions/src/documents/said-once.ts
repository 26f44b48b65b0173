import { literalLine } from '../markdown/literal.ts'
import { answerText, decisionText, decisionsOf, openPointsOf } from './template-context.ts'
import { type VersionRecords, adrName } from './version-records.ts'

/** A text of a template that a section of the report has as well, and what refers to it. */
interface Repeat {
  readonly text: string
  readonly section: 'questions' | 'decisions' | 'coverage'
  /** of the chapter */
  readonly title: string
  readonly name: string
}

/** Around the number of a repeat, in a source. */
const MARK = '\u0000'
const MARKS = /(?:\0\d+\0\s*)+/g

/** A document of a report without what its other sections say: answers, decisions, open points. */
export function saidOnce(
  source: string,
  records: VersionRecords,
  sections: ReadonlySet<string>,
): string {
  const repeats = repeatsOf(records).filter(({ section }) => sections.has(section))
  const marked = repeats.reduce(
    (text, repeat, i) =>
      repeat.text === '' ? text : text.replaceAll(repeat.text, `${MARK}${i}${MARK}`),
    source.replaceAll(MARK, ''),
  )
  return marked.replaceAll(MARKS, (marks) => {
    const found = [...marks.matchAll(/\d+/g)].map(([number]) => repeats[Number(number)])
    const byTitle = [...Map.groupBy(found, ({ title }) => title)]
    return byTitle.map(([title, all]) => `${referenceTo(title, all)}\n\n`).join('')
  })
}

function referenceTo(title: string, all: readonly Repeat[]): string {
  const names = [...new Set(all.map(({ name }) => name).filter((name) => name !== ''))]
  return `See *${title}*${names.length > 0 ? `: ${names.join('; ')}` : '.'}`
}

function repeatsOf(records: VersionRecords): readonly Repeat[] {
  const context = { projectName: records.project.name, records }
  const answered = records.questions.filter(({ answer_text: answer }) => answer?.trim())
  return [
    ...answered.map((question) => ({
      text: answerText(question),
      section: 'questions' as const,
      title: 'Questions and answers',
      name: literalLine(question.question_text),
    })),
    ...records.adrs.map((adr) => ({
      text: decisionText(adr),
      section: 'decisions' as const,
      title: 'Architecture decisions',
      name: `${adrName(adr.adr_number)} ${literalLine(adr.title)}`,
    })),
    {
      text: decisionsOf(context),
      section: 'decisions',
      title: 'Architecture decisions',
      name: '',
    },
    { text: openPointsOf(context), section: 'coverage', title: 'Coverage', name: '' },
  ]
}
