import { useSignal } from '@preact/signals'
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { latinKey } from '../input/latin-key.ts'
import type { Operator } from '../operator/operator.ts'
import { type PaletteEntry, paletteEntries } from '../operator/palette-entries.ts'

/** All that can be done, by its key or by a part of its name. */
export function Palette({ operator }: { readonly operator: Operator }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  const { isPaletteOpen } = operator
  const isOpen = isPaletteOpen.value
  usePaletteKeys(() => (isPaletteOpen.value = true))
  useLayoutEffect(() => {
    if (isOpen && !element.current?.open) element.current?.showModal()
    if (!isOpen) element.current?.close()
  }, [isOpen])
  const close = (): void => {
    isPaletteOpen.value = false
  }
  return (
    <dialog ref={element} class="palette" aria-label="What to do" onClose={close}>
      {isOpen && <Search operator={operator} close={close} />}
    </dialog>
  )
}

/** `/` and Ctrl+K, unless a text is being typed or a dialog is open. */
function usePaletteKeys(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isKey = event.key === '/' && !isTyping(event.target)
      const isChord = latinKey(event).toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!(isKey || isChord) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

interface SearchProps {
  readonly operator: Operator
  readonly close: () => void
}

function Search({ operator, close }: SearchProps): JSX.Element {
  const text = useSignal('')
  const at = useSignal(0)
  const reading = operator.live.reading.value
  const entriesOf = (typed: string): PaletteEntry[] =>
    reading ? paletteEntries(operator, reading, typed) : []
  const found = entriesOf(text.value)
  const selected = Math.min(at.value, found.length - 1)
  const choose = (entry: PaletteEntry | undefined): void => {
    if (!entry || entry.off !== undefined) return
    close()
    entry.choose()
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    // What is typed counts, which a busy page may not have drawn yet.
    const typed = entriesOf(event.currentTarget.value)
    const place = Math.min(at.value, typed.length - 1)
    if (step === undefined) choose(typed[place])
    else at.value = (place + step + typed.length) % typed.length
  }
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[selected] && `entry-${found[selected].key}`}
        aria-label="Key or part of a name"
        placeholder="Key or part of a name"
        autofocus
        spellcheck={false}
        value={text.value}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          text.value = event.currentTarget.value
          at.value = 0
        }}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="What to do">
        {found.map((entry, i) => (
          <button
            key={entry.key}
            type="button"
            id={`entry-${entry.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === selected}
            aria-disabled={entry.off !== undefined}
            onClick={() => choose(entry)}
          >
            <kbd>{entry.key}</kbd> {entry.title}
            {entry.off !== undefined && <small> {entry.off}</small>}
          </button>
        ))}
      </div>
    </>
  )
}
