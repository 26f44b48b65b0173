/** A labelled input with its rule, and beside it what was wrong with it. */
import type { ComponentChildren, JSX, PartialInputHTMLAttributes } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import './field.css'

export interface FieldProps {
  readonly label: string
  readonly name: string
  readonly rule?: string
  /** what was wrong; a new object moves the focus here */
  readonly fault?: { readonly text: string } | undefined
  readonly input: PartialInputHTMLAttributes<HTMLInputElement>
  /** after the input */
  readonly children?: ComponentChildren
}

export function Field({ label, name, rule, fault, input, children }: FieldProps): JSX.Element {
  const id = useId()
  const element = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (!fault) return
    element.current?.focus()
    element.current?.select()
  }, [fault])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-line">
        <input
          {...(input as JSX.IntrinsicElements['input'])}
          id={id}
          ref={element}
          name={name}
          aria-invalid={fault !== undefined}
          aria-describedby={`${id}-note`}
        />
        {children}
      </div>
      <p class={`field-note ${fault ? 'fault' : ''}`} id={`${id}-note`}>
        {fault?.text ?? rule}
      </p>
    </div>
  )
}
