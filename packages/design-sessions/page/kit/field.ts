import { element } from './element.ts'

/** What a form shows of one field. */
export interface Input {
  /** label, control and hint */
  readonly part: HTMLElement
  get(): unknown
  set(value: unknown): void
}

/** One field of a record. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly make: () => Input
}

interface Look {
  /** below the label */
  readonly hint?: string
  readonly isRequired?: boolean
  /** what an empty field is sent as: null, or nothing; `''` by default */
  readonly empty?: null | 'absent'
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Shown extends Look {
  readonly control: Control
  readonly toText: (value: unknown) => string
  readonly fromText: (text: string) => unknown
}

let controls = 0

function input(label: string, { control, hint, isRequired, toText, fromText }: Shown): Input {
  control.id = `field-${(controls += 1)}`
  control.required = isRequired ?? false
  const part = element(
    'div',
    { className: 'field' },
    element('label', { htmlFor: control.id }, label),
  )
  if (hint !== undefined) {
    const id = `${control.id}-hint`
    control.setAttribute('aria-describedby', id)
    part.append(element('small', { id, className: 'pale' }, hint))
  }
  part.append(control)
  return {
    part,
    get: () => fromText(control.value),
    set: (value) => (control.value = toText(value)),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function textOr(empty: Look['empty']): (text: string) => unknown {
  if (empty === undefined) return (text) => text
  return (text) => text || (empty === null ? null : undefined)
}

/** A text of one line; `type` as of an `input`. */
export function lineField(
  name: string,
  label: string,
  { type = 'text', empty, ...look }: Look & { readonly type?: 'text' | 'date' } = {},
): Field {
  const make = (): Input => {
    const control = element('input', { type, autocomplete: 'off' })
    // Spaces are no text.
    if (look.isRequired && type === 'text') control.pattern = String.raw`.*\S.*`
    return input(label, { ...look, control, toText: textOf, fromText: textOr(empty) })
  }
  return { name, label, make }
}

/** A text of many lines. */
export function proseField(name: string, label: string, { empty, ...look }: Look = {}): Field {
  const make = (): Input =>
    input(label, {
      ...look,
      control: element('textarea', { rows: 3 }),
      toText: textOf,
      fromText: textOr(empty),
    })
  return { name, label, make }
}

/** A list with an entry in each line. */
export function linesField(name: string, label: string, look: Look = {}): Field {
  const make = (): Input =>
    input(label, {
      hint: 'One in each line.',
      ...look,
      control: element('textarea', { rows: 2 }),
      toText: (value) => (Array.isArray(value) ? value.join('\n') : ''),
      fromText: (text) =>
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
    })
  return { name, label, make }
}

/** Values with their words; `''` stands for none. */
export type Choices = Readonly<Record<string, string>>

/** One of some values. */
export function choiceField(name: string, label: string, choices: Choices, look: Look = {}): Field {
  const make = (): Input =>
    input(label, {
      ...look,
      control: select(choices),
      toText: textOf,
      fromText: (text) => (text === '' ? null : text),
    })
  return { name, label, make }
}

/** A whole number. */
export function numberField(name: string, label: string, look: Look = {}): Field {
  const make = (): Input =>
    input(label, {
      ...look,
      control: element('input', { type: 'number', step: '1', required: true }),
      toText: String,
      fromText: Number,
    })
  return { name, label, make }
}

export function select(choices: Choices): HTMLSelectElement {
  const options = Object.entries(choices).map(([value, text]) => element('option', { value }, text))
  return element('select', {}, ...options)
}
