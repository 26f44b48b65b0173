/** On a phone: which of the slots is open as a sheet. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import './tab-bar.css'

export type SlotName =
  | 'top-left'
  | 'top'
  | 'top-right'
  | 'places'
  | 'left'
  | 'right'
  | 'bottom'
  | 'bottom-left'
  | 'bottom-right'
  | 'dates'

interface Tab {
  readonly slot: SlotName
  readonly words: string
}

const GUEST_TABS: readonly Tab[] = [
  { slot: 'places', words: say('Places') },
  { slot: 'top-right', words: say('Facts') },
  { slot: 'bottom-right', words: say('Menu') },
]

const TABS: readonly Tab[] = [
  { slot: 'bottom', words: say('Flight') },
  { slot: 'right', words: say('Orders') },
  { slot: 'top-right', words: say('Target') },
  { slot: 'places', words: say('Places') },
  { slot: 'left', words: say('Log') },
  { slot: 'bottom-right', words: say('Menu') },
]

export function TabBar({
  sheet,
  isFlown,
}: {
  readonly sheet: Signal<SlotName | undefined>
  readonly isFlown: boolean
}): JSX.Element {
  return (
    <nav class="tab-bar" aria-label={say('Panels')}>
      {(isFlown ? TABS : GUEST_TABS).map(({ slot, words }) => (
        <button
          key={slot}
          type="button"
          aria-expanded={sheet.value === slot}
          aria-controls={`slot-${slot}`}
          onClick={() => (sheet.value = sheet.value === slot ? undefined : slot)}
        >
          {words}
        </button>
      ))}
    </nav>
  )
}
