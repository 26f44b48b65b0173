/** A native dialog whose opening is a signal: Escape and the browser's focus rules come with it. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { modalEnds } from '@orrery/page-kit'
import { say } from '../languages/say.ts'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  /** class of the whole */
  readonly name: string
  readonly isOpen: Signal<boolean>
  readonly children: ComponentChildren
}

export function Dialog({ title, name, isOpen, children }: DialogProps): JSX.Element {
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  const isShown = isOpen.value
  // Once the content is there, which may take the focus.
  useLayoutEffect(() => {
    const { current: dialog } = element
    if (isShown && !dialog?.open) dialog?.showModal()
    if (!isShown) dialog?.close()
  }, [isShown])
  const close = (): void => {
    isOpen.value = false
  }
  return (
    <dialog class={name} ref={element} aria-labelledby={id} {...modalEnds(close)}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="dialog-close" aria-label={say('Close')} onClick={close}>
          ×
        </button>
      </header>
      {isShown ? children : undefined}
    </dialog>
  )
}
