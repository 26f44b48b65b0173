import type { JSX, PartialInputHTMLAttributes } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { Field } from '../operator/action.ts'

export interface FieldProps {
  readonly field: Field
  readonly initial: string
  /** it takes the focus when it appears */
  readonly isFocused?: boolean
}

/** One field of an action or of a filter. */
export function FieldInput({ field, initial, isFocused = false }: FieldProps): JSX.Element {
  const element = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (isFocused) element.current?.focus()
  }, [])
  const id = useId()
  const hintId = `${id}-hint`
  const { name, label, kind, choices, hint, isOptional = false } = field
  const input: PartialInputHTMLAttributes<HTMLInputElement> = {
    id,
    name,
    type: kind === 'password' ? 'password' : 'text',
    inputMode: kind === 'number' ? 'decimal' : 'text',
    autocomplete: kind === 'password' ? 'new-password' : 'off',
    spellcheck: false,
    required: !isOptional,
    defaultValue: initial,
    ...(hint !== undefined && { 'aria-describedby': hintId }),
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && choices !== undefined && <small> optional</small>}
      </label>
      {choices ? (
        <select id={id} name={name} required={!isOptional}>
          {choices.map((choice) => (
            <option key={choice} value={choice} selected={choice === (initial || choices[0])}>
              {choice || (isOptional ? 'none' : 'choose')}
            </option>
          ))}
        </select>
      ) : (
        <input ref={element} {...(input as JSX.IntrinsicElements['input'])} />
      )}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** The texts of a form's fields: blanks around them count in passwords only. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string') continue
    const field = form.elements.namedItem(name)
    const isPassword = field instanceof HTMLInputElement && field.type === 'password'
    values[name] = isPassword ? value : value.trim()
  }
  return values
}
