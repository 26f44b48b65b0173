import type { Question } from '../../src/records/questions.ts'
import { choiceField, proseField } from '../kit/field.ts'
import { element, prose } from '../kit/element.ts'
import { filtered } from '../kit/filtered.ts'
import { type RecordKind, recordArticle, recordList } from '../kit/record-list.ts'
import { readRecord } from '../kit/api.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { type Suggested, suggestions } from './suggestions.ts'

const STATES: Readonly<Record<Question['status'], string>> = {
  open: 'Open',
  answered: 'Answered',
  deferred: 'Deferred',
  not_applicable: 'Not applicable',
}

const CATEGORIES: Readonly<Record<Question['category'], string>> = {
  requirements: 'Requirements',
  security: 'Security',
  scaling: 'Scaling',
  compliance: 'Compliance',
  cost: 'Cost',
  operations: 'Operations',
  networking: 'Networking',
  storage: 'Storage',
  compute: 'Compute',
  identity: 'Identity',
  monitoring: 'Monitoring',
  dr: 'Disaster recovery',
  migration: 'Migration',
}

const ASKED = [
  proseField('question_text', 'Question', { isRequired: true }),
  choiceField('category', 'Category', CATEGORIES),
]

const ANSWERED = [
  proseField('answer_text', 'Answer', { empty: null }),
  choiceField('status', 'State', STATES, { hint: 'An open question with an answer is answered.' }),
]

/** The questions of a version, to be answered in place. */
export function questions({ path, place }: VersionPage): Promise<HTMLElement> {
  const kind: RecordKind<Question & Suggested> = {
    path: `${path}/questions`,
    noun: 'question',
    nothing: 'No such questions.',
    fields: ASKED,
    changeFields: [...ANSWERED, ...ASKED],
    editName: 'Answer',
    initial: { question_text: '', category: 'requirements' },
    completed: (changes, { status, answer_text: answer }) =>
      status === 'open' && answer ? { ...changes, status: 'answered' } : changes,
    title: ({ question_text: text }) => text,
    shown: ({ id, status, category, answer_text: answer, suggestions: found }) => [
      element('p', { className: 'pale' }, `${STATES[status]}, ${CATEGORIES[category]}`),
      ...(answer === null ? [] : [prose(answer)]),
      ...(found.length > 0 ? [suggestions(path, id, found)] : []),
    ],
  }
  // Filters may leave it out later.
  let wanted = place.record
  const load = async (filter: string): Promise<Node> => {
    const list = await recordList({ ...kind, filter })
    const record = wanted
    wanted = undefined
    if (record !== undefined && !list.querySelector(`[id="${record}"]`)) {
      const { row } = await readRecord<Question & Suggested>(`${kind.path}/${record}`)
      list.prepend(recordArticle(kind, row))
    }
    return list
  }
  return filtered(
    [
      { name: 'status', label: 'State', choices: STATES },
      { name: 'category', label: 'Category', choices: CATEGORIES },
    ],
    load,
  )
}
