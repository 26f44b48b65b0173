/** A sign at an instrument that opens what its readings mean. */
import { type Signal, batch, signal } from '@preact/signals'
import type { JSX } from 'preact'
import './explain.css'
import { say } from '../languages/say.ts'

export type Instrument = 'Orbit' | 'Ball' | 'Ship' | 'Steering' | 'Target' | 'Ahead'

export const INSTRUMENT_WORDS: Readonly<Record<Instrument, string>> = {
  Orbit: say('Orbit'),
  Ball: say('Ball'),
  Ship: say('Ship'),
  Steering: say('Steering'),
  Target: say('Target'),
  Ahead: say('Ahead'),
}

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
    <button
      type="button"
      class="explain"
      aria-label={say('What “{instrument}” shows', { instrument: INSTRUMENT_WORDS[of] })}
      onClick={open}
    >
      ?
    </button>
  )
}
