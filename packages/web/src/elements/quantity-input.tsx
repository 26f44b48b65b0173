/** A field for a quantity with its unit. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { QUANTITIES, type QuantityName, type Texts } from '../quantities/quantity-fields.ts'
import './order-form.css'

interface QuantityInputProps {
  readonly name: QuantityName
  readonly texts: Signal<Texts>
  readonly placeholder?: string
  /** a sentence that begins with the name of the field that it is about */
  readonly fault: string | undefined
}

export function QuantityInput(props: QuantityInputProps): JSX.Element {
  const { name, texts, placeholder = '', fault } = props
  const { label, unit } = QUANTITIES[name]
  const id = useId()
  const isWrong = fault?.startsWith(`${name} `) ?? false
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        value={texts.value[name] ?? ''}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => {
          texts.value = { ...texts.value, [name]: currentTarget.value }
        }}
      />
      <span class="order-unit">{unit}</span>
    </p>
  )
}

interface TextLineProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly placeholder?: string
  readonly onText: (text: string) => void
}

/** A field for a text. */
export function TextLine({ label, onText, ...input }: TextLineProps): JSX.Element {
  const id = useId()
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="text"
        autoComplete="off"
        maxLength={64}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </p>
  )
}

interface DateLineProps extends TextLineProps {
  /** [s]; whole minutes when left out */
  readonly step?: number
}

/** A field for a date and a time. */
export function DateLine({ label, onText, ...input }: DateLineProps): JSX.Element {
  const id = useId()
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="datetime-local"
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </p>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly isRequired?: boolean
  /** `option` elements */
  readonly children: ComponentChildren
}

/** A list to choose from. */
export function Choice(props: ChoiceProps): JSX.Element {
  const { label, name, value, isRequired = false, onChoose, children } = props
  const id = useId()
  return (
    <p class="order-line">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        required={isRequired}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {children}
      </select>
    </p>
  )
}
