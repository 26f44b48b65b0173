import type { Question } from '../../src/records/questions.ts'
import { ask, read, type Sent } from '../kit/api.ts'
import { announce, element, failure } from '../kit/element.ts'
import { listing } from '../kit/listing.ts'

const STATUSES: readonly Question['status'][] = ['open', 'answered', 'deferred', 'not_applicable']

interface Answered extends Sent<Question> {
  readonly suggestions: readonly { readonly source_file: string; readonly checklist_item: string }[]
}

/** Questions of a version, each to be answered in place. */
export function questions(path: string): Promise<HTMLElement> {
  return listing<Question>(
    `${path}/questions`,
    (one) => questionForm(path, one),
    'No questions yet.',
  )
}

function questionForm(path: string, question: Sent<Question>): Node {
  const place = `${path}/questions/${question.id}`
  const label = `Answer to: ${question.question_text}`
  const answer = element('textarea', {
    rows: 3,
    value: question.answer_text ?? '',
    ariaLabel: label,
  })
  const status = element(
    'select',
    { ariaLabel: `State of: ${question.question_text}` },
    ...STATUSES.map((value) => element('option', { value }, value.replace('_', ' '))),
  )
  status.value = question.status
  const result = element('div', {})
  let seen = question.updated_at
  const store = async (): Promise<void> => {
    // Another person may have answered since this page was loaded.
    const current = await ask(place)
    const { updated_at: changed, answer_text: other }: Sent<Question> = await current.json()
    if (changed !== seen) {
      seen = changed
      throw new Error(`Somebody else has changed it; save again to replace: ${other ?? ''}`)
    }
    const body = {
      answer_text: answer.value,
      status: status.value === 'open' && answer.value.trim() ? 'answered' : status.value,
    }
    const etag = current.headers.get('etag')
    const stored = await read<Answered>(place, { method: 'PATCH', body, etag })
    seen = stored.updated_at
    status.value = stored.status
    announce('Saved.')
    const items = stored.suggestions.map(({ source_file: file, checklist_item: text }) =>
      element('li', {}, text, ' ', element('span', { className: 'pale' }, file)),
    )
    const found = element('p', {}, 'Saved. Checklist items that it may settle:')
    result.replaceChildren(
      ...(items.length > 0 ? [found, element('ul', {}, ...items)] : ['Saved.']),
    )
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    store().catch((error: unknown) => result.replaceChildren(failure(error)))
  }
  return element(
    'article',
    {},
    element('h3', {}, question.question_text),
    element(
      'form',
      { onsubmit },
      answer,
      element('p', { className: 'row' }, status, element('button', {}, 'Save')),
      result,
    ),
  )
}
