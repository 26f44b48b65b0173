/** How the browser ends a modal dialog, as its element's handlers. */
import type { TargetedEvent } from 'preact'

interface ModalEnds {
  onCancel(): void
  onClose(event: TargetedEvent<HTMLDialogElement>): void
}

/** @param close  sets the state to closed, which may be repeated */
export function modalEnds(close: () => void): ModalEnds {
  return {
    // Escape: the state changes at once, so that what is opened next is a change again.
    onCancel: close,
    // It comes with the next picture: by then the dialog may have been opened again.
    onClose: ({ currentTarget }) => {
      if (!currentTarget.open) close()
    },
  }
}
