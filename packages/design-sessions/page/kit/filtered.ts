import { element } from './element.ts'
import { type Choices, choiceField } from './field.ts'
import { fill } from './loading.ts'

/** A filter by one field of the API; the empty value is for all. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly choices: Choices
}

/** What is loaded below filters, again whenever one is chosen. */
export async function filtered(
  filters: readonly Filter[],
  load: (query: string) => Promise<Node>,
): Promise<HTMLElement> {
  const place = element('div', {})
  const inputs = filters.map(({ name, label, choices }) => {
    const input = choiceField(name, label, { '': 'All', ...choices }).make()
    return [name, input] as const
  })
  const show = (): Promise<void> => {
    const chosen = inputs.map(([name, input]) => {
      const value = input.get()
      return [name, typeof value === 'string' ? value : '']
    })
    return fill(place, () => load(`?${new URLSearchParams(chosen).toString()}`))
  }
  const row = element(
    'div',
    { className: 'row filters', onchange: () => void show() },
    ...inputs.map(([, input]) => input.part),
  )
  await show()
  return element('div', {}, row, place)
}
