/** Messages to the player, each with a way on. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface Notice {
  /** a later notice of the same subject replaces this one */
  readonly subject: string
  readonly kind: 'info' | 'warning' | 'error'
  readonly text: string
  /** what the player can do about it, as a button */
  readonly action?: { readonly label: string; readonly act: () => void }
  /** it stays until it is closed or withdrawn */
  readonly isLasting?: boolean
}

export interface Notices {
  readonly shown: ReadonlySignal<readonly Notice[]>
  show(notice: Notice): void
  withdraw(subject: string): void
}

/** How long a notice that does not last is shown [ms]. */
const SHOWN_MS = 8000

export function createNotices(): Notices {
  const shown = signal<readonly Notice[]>([])
  const without = (subject: string): readonly Notice[] =>
    shown.value.filter((notice) => notice.subject !== subject)
  const notices: Notices = {
    shown,
    show: (notice) => {
      shown.value = [...without(notice.subject), notice]
      if (notice.isLasting) return
      setTimeout(() => {
        shown.value = shown.value.filter((other) => other !== notice)
      }, SHOWN_MS)
    },
    withdraw: (subject) => {
      shown.value = without(subject)
    },
  }
  return notices
}
