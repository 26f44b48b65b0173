/** A password, which can be shown. */
import { useSignal } from '@preact/signals'
import type { JSX, PartialInputHTMLAttributes } from 'preact'
import { say } from '../languages/say.ts'
import { Field, type FieldProps } from './field.tsx'

export interface PasswordFieldProps extends Omit<FieldProps, 'input' | 'children'> {
  readonly isNew: boolean
  readonly isFocused?: boolean
}

export function PasswordField({ isNew, isFocused, ...field }: PasswordFieldProps): JSX.Element {
  const isShown = useSignal(false)
  const input: PartialInputHTMLAttributes<HTMLInputElement> = {
    type: isShown.value ? 'text' : 'password',
    autocomplete: isNew ? 'new-password' : 'current-password',
    required: true,
    autofocus: isFocused,
    spellcheck: false,
    autocapitalize: 'none',
    ...(isNew && { minLength: 8 }),
  }
  return (
    <Field {...field} input={input}>
      <button
        type="button"
        class="field-show"
        aria-label={isShown.value ? say('Hide password') : say('Show password')}
        onClick={() => (isShown.value = !isShown.value)}
      >
        {isShown.value ? say('Hide') : say('Show')}
      </button>
    </Field>
  )
}
