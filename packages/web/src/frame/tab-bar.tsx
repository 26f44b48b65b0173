/** On a phone: which of the slots is open as a sheet. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
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
  { slot: 'places', words: 'Places' },
  { slot: 'top-right', words: 'Facts' },
  { slot: 'bottom-right', words: 'Menu' },
]

const TABS: readonly Tab[] = [
  { slot: 'bottom', words: 'Flight' },
  { slot: 'right', words: 'Orders' },
  { slot: 'top-right', words: 'Target' },
  { slot: 'places', words: 'Places' },
  { slot: 'left', words: 'Log' },
  { slot: 'bottom-right', words: 'Menu' },
]

export function TabBar({
  sheet,
  isFlown,
}: {
  readonly sheet: Signal<SlotName | undefined>
  readonly isFlown: boolean
}): JSX.Element {
  return (
    <nav class="tab-bar" aria-label="Panels">
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
