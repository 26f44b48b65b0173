/** A sign at an instrument that opens what its readings mean. */
import { type Signal, batch, signal } from '@preact/signals'
import type { JSX } from 'preact'
import './explain.css'

export type Instrument = 'Orbit' | 'Ball' | 'Ship' | 'Steering' | 'Target' | 'Ahead'

/** What is explained, and whether that is shown. */
export const explained: Signal<Instrument> = signal('Orbit')
export const isExplaining: Signal<boolean> = signal(false)

export function Explain({ of }: { readonly of: Instrument }): JSX.Element {
  const open = (): void =>
    batch(() => {
      explained.value = of
      isExplaining.value = true
    })
  return (
    <button type="button" class="explain" aria-label={`What “${of}” shows`} onClick={open}>
      ?
    </button>
  )
}
