import type { VersionFacts } from '../../src/routes/facts.ts'
import { type Found, readRecord } from '../kit/api.ts'
import { announce, element, failure } from '../kit/element.ts'
import { type Input, choiceField } from '../kit/field.ts'

/**
 * The facts of a version: choices that say which items apply, and how many are left to ask.
 *
 * @param changed  after they have been saved
 */
export async function facts(path: string, changed: () => void): Promise<HTMLElement> {
  const place = element('details', {})
  const show = ({ row, etag }: Found<VersionFacts>): void => {
    const inputs = inputsOf(row)
    const result = element('div', {})
    const save = element('button', {}, 'Save facts')
    const store = async (): Promise<void> => {
      const said = [...inputs].map(([name, input]) => [name, input.get() ?? undefined])
      const body = Object.fromEntries(said) as object
      show(await readRecord(`${path}/facts`, { method: 'PUT', body, etag }))
      announce('Saved.')
      changed()
    }
    const onsubmit = (event: SubmitEvent): void => {
      event.preventDefault()
      store().catch((error: unknown) => result.replaceChildren(failure(error)))
    }
    const parts = [...inputs.values()].map(({ part }) => part)
    const buttons = element('p', { className: 'row' }, save)
    const form = element('form', { onsubmit, ariaLabel: 'Facts' }, ...parts, buttons, result)
    place.replaceChildren(element('summary', {}, summaryOf(row)), form)
  }
  const found: Found<VersionFacts> = await readRecord(`${path}/facts`)
  show(found)
  // Questions are fewer only after it.
  place.open = Object.keys(found.row.facts).length === 0
  return place
}

function inputsOf({ facts, questions }: Found<VersionFacts>['row']): Map<string, Input> {
  return new Map(
    questions.map(({ fact, question, choices }) => {
      const meanings = choices.map(({ choice, meaning }) => [choice, meaning])
      const words = { '': 'not said', ...(Object.fromEntries(meanings) as Record<string, string>) }
      const input = choiceField(fact, question, words).make()
      input.set(facts[fact] ?? '')
      return [fact, input]
    }),
  )
}

function summaryOf({ facts, questions, excluded }: Found<VersionFacts>['row']): string {
  const said = Object.keys(facts).length
  const left = excluded.reduce((sum, { critical_items: items }) => sum + items, 0)
  return `Facts: ${said} of ${questions.length} said, ${left} critical items left out`
}
