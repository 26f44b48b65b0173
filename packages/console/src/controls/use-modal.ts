/** A dialog that opens and closes with a state, and gives the focus back. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** What had the focus before the first of the dialogs that follow one another. */
let opener: HTMLElement | undefined

export function useModal(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current || current.open === isOpen) return
    if (isOpen) {
      noteOpener()
      current.showModal()
    } else {
      current.close()
      // A command of the palette opens its own dialog at once.
      if (!document.querySelector('dialog[open]')) giveFocusBack()
    }
  }, [isOpen])
  return dialog
}

function noteOpener(): void {
  const { activeElement: active, body } = document
  if (!(active instanceof HTMLElement) || active === body || active.closest('dialog')) return
  opener = active
}

/** To the section where the button is gone, such as that of a row that was deleted. */
function giveFocusBack(): void {
  const target = opener?.isConnected ? opener : document.querySelector<HTMLElement>('#section')
  target?.focus()
  opener = undefined
}
