import type { CoverageItem } from '../../src/records/coverage.ts'
import type { Question } from '../../src/records/questions.ts'
import { type Sent, readPage } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { type Field, choiceField, lineField, proseField } from '../kit/field.ts'
import { filtered } from '../kit/filtered.ts'
import { recordList } from '../kit/record-list.ts'

export const COVERAGE_STATES: Readonly<Record<CoverageItem['status'], string>> = {
  pending: 'Pending',
  addressed: 'Addressed',
  deferred: 'Deferred',
  na: 'Not applicable',
}

const PRIORITIES: Readonly<Record<CoverageItem['priority'], string>> = {
  Critical: 'Critical',
  Recommended: 'Recommended',
  Optional: 'Optional',
}

const QUESTIONS_MAX = 1000
const TEXT_MAX = 80

/** The state of a checklist item: what settles it, or why it is put aside. */
export function stateFields(questions: readonly Sent<Question>[]): readonly Field[] {
  const texts = questions.map(({ id, question_text: text }) => [id, text.slice(0, TEXT_MAX)])
  return [
    choiceField('status', 'State', COVERAGE_STATES, {
      hint: 'Addressed items need an answered question or a decision, others a reason.',
    }),
    choiceField('question_id', 'Question that settles it', {
      '': 'None',
      ...Object.fromEntries(texts),
    }),
    proseField('reason', 'Reason', { empty: null }),
    lineField('owner', 'Owner', {
      empty: null,
      hint: 'Of a deferred item, for the list of risks.',
    }),
    lineField('due_date', 'Due', { type: 'date', empty: null }),
  ]
}

/** The items of a version that are recorded, by state and priority. */
export async function coverage(path: string): Promise<HTMLElement> {
  const { rows: questions } = await readPage<Question>(`${path}/questions?limit=${QUESTIONS_MAX}`)
  const states = stateFields(questions)
  const questionOf = (id: string | null): string | undefined =>
    questions.find((one) => one.id === id)?.question_text
  const load = (filter: string): Promise<Node> =>
    recordList<CoverageItem>({
      path: `${path}/coverage`,
      filter,
      noun: 'item',
      nothing: 'No such items are recorded.',
      fields: [
        lineField('knowledge_file', 'File of the library', { isRequired: true }),
        proseField('item_text', 'Item', { isRequired: true }),
        choiceField('priority', 'Priority', PRIORITIES),
        ...states,
      ],
      changeFields: states,
      initial: { priority: 'Critical', status: 'pending' },
      title: ({ item_text: text }) => text,
      shown: ({ knowledge_file: file, priority, status, reason, question_id: id }) => {
        const facts = [COVERAGE_STATES[status], priority, file, questionOf(id)].filter(Boolean)
        const about = element('p', { className: 'pale' }, facts.join(', '))
        return [about, ...(reason === null ? [] : [prose(reason)])]
      },
    })
  return filtered(
    [
      { name: 'status', label: 'State', choices: COVERAGE_STATES },
      { name: 'priority', label: 'Priority', choices: PRIORITIES },
    ],
    load,
  )
}
