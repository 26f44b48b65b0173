/** A part of the page with a title, which can be folded. */
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import './panel.css'

export interface PanelProps {
  readonly title: string
  /** class of the whole */
  readonly name: string
  readonly isFolded?: boolean
  /** where others open it too */
  readonly isOpen?: Signal<boolean>
  /** beside the title */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

export function Panel({ title, name, isFolded = false, ...props }: PanelProps): JSX.Element {
  const id = useId()
  const own = useSignal(!isFolded)
  const isOpen = props.isOpen ?? own
  const toggle = (): void => {
    isOpen.value = !isOpen.value
  }
  return (
    <section class={`panel ${name}`} aria-labelledby={`${id}-title`}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>
          <button type="button" aria-expanded={isOpen.value} aria-controls={id} onClick={toggle}>
            {title}
          </button>
        </h2>
        {props.aside}
      </header>
      {/* It scrolls: the keyboard needs it in the order of focus. */}
      <div class="panel-body" id={id} hidden={!isOpen.value} tabIndex={0}>
        {props.children}
      </div>
    </section>
  )
}
