import type { AdrOption } from '../../src/records/adrs.ts'
import { button, element } from '../kit/element.ts'
import { type Field, type Input, lineField, linesField } from '../kit/field.ts'

const FIELDS = [
  lineField('title', 'Option', { isRequired: true }),
  lineField('description', 'In one sentence', { empty: null }),
  linesField('pros', 'Good, because'),
  linesField('neutral', 'Neutral, because'),
  linesField('cons', 'Bad, because'),
]

const NEW: AdrOption = { title: '', description: null, pros: [], neutral: [], cons: [] }

/** Options with the arguments for and against each. */
export function optionsField(name: string, label: string): Field {
  const make = (): Input => {
    let parts: readonly OptionPart[] = []
    const list = element('div', {})
    const typed = (): void => void list.dispatchEvent(new Event('input', { bubbles: true }))
    const show = (options: readonly AdrOption[]): void => {
      parts = options.map((option) => optionPart(option, (part) => remove(part)))
      list.replaceChildren(...parts.map(({ element }) => element))
    }
    const remove = (part: OptionPart): void => {
      parts = parts.filter((other) => other !== part)
      part.element.remove()
      typed()
      add.focus()
    }
    const add = button('Add an option', () => {
      const part = optionPart(NEW, (one) => remove(one))
      parts = [...parts, part]
      list.append(part.element)
      part.element.querySelector('input')?.focus()
      typed()
    })
    const legend = element('legend', {}, label)
    return {
      part: element('fieldset', { className: 'field' }, legend, list, add),
      get: () => parts.map((part) => part.get()),
      set: (value) => show(value as readonly AdrOption[]),
    }
  }
  return { name, label, make }
}

interface OptionPart {
  readonly element: HTMLElement
  readonly get: () => unknown
}

function optionPart(option: AdrOption, remove: (part: OptionPart) => void): OptionPart {
  const inputs = FIELDS.map(({ name, make }) => {
    const input = make()
    input.set(option[name as keyof AdrOption])
    return [name, input] as const
  })
  const part: OptionPart = {
    element: element(
      'div',
      { className: 'option', role: 'group', ariaLabel: 'An option' },
      ...inputs.map(([, input]) => input.part),
      button('Remove this option', () => remove(part)),
    ),
    get: () => Object.fromEntries(inputs.map(([name, input]) => [name, input.get()])),
  }
  return part
}
