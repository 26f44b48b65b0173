import { announce, button, element, failure } from '../kit/element.ts'
import { settle } from './settle.ts'

/** What the service suggests with the answer to a question. */
export interface Suggested {
  readonly suggestions: readonly {
    readonly source_file: string
    readonly checklist_item: string
    readonly priority: 'critical' | 'recommended' | 'optional' | null
  }[]
}

/** Checklist items that an answer may settle, each to be noted as addressed by it. */
export function suggestions(
  path: string,
  question: string,
  found: Suggested['suggestions'],
): HTMLElement {
  const items = found.map(({ source_file: file, checklist_item: text, priority }) => {
    const state = element('span', {})
    const note = async (): Promise<void> => {
      await settle(path, { file, text, priority: priority ?? 'recommended' }, question)
      state.replaceChildren('Addressed.')
      announce('Addressed.')
    }
    const settled = button('Addressed by this answer', () => {
      note().catch((error: unknown) => state.replaceChildren(failure(error), settled))
    })
    settled.ariaLabel = `Addressed by this answer: ${text}`
    state.append(settled)
    return element('li', {}, text, ' ', element('span', { className: 'pale' }, file), ' ', state)
  })
  const heading = element('p', {}, 'Checklist items that it may settle:')
  return element('div', {}, heading, element('ul', {}, ...items))
}
