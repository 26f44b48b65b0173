import { useSignal } from '@preact/signals'
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { latinKey, modalEnds } from '@orrery/page-kit'
import type { Operator } from '../operator/operator.ts'
import { type PaletteEntry, paletteEntries } from '../operator/palette-entries.ts'
import { useModal } from '../controls/use-modal.ts'

/** All that can be done, by its key or by a part of its name. */
export function Palette({ operator }: { readonly operator: Operator }): JSX.Element {
  const { isPaletteOpen } = operator
  const element = useModal(isPaletteOpen.value)
  usePaletteKeys(() => (isPaletteOpen.value = true))
  const close = (): void => {
    isPaletteOpen.value = false
  }
  return (
    <dialog ref={element} {...modalEnds(close)} class="palette" aria-label="Commands">
      {isPaletteOpen.value && <Search operator={operator} close={close} />}
    </dialog>
  )
}

/** `/` and Ctrl+K, unless a text is being typed or a dialog is open. */
function usePaletteKeys(open: () => void): void {
  // A key may come as soon as the page is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const key = latinKey(event).toLowerCase()
      const isChord = key === 'k' && (event.ctrlKey || event.metaKey)
      const isWanted = isChord || (key === '/' && !isTyping())
      if (!isWanted || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(): boolean {
  return document.querySelector('input:focus, select:focus') !== null
}

/** No entry of the list. */
const NONE = -1

interface SearchProps {
  readonly operator: Operator
  readonly close: () => void
}

function Search({ operator, close }: SearchProps): JSX.Element {
  const text = useSignal('')
  // Enter does nothing before a command is named.
  const at = useSignal(NONE)
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
    const { value } = event.currentTarget
    const typed = entriesOf(value)
    const place = value === '' ? at.value : Math.min(Math.max(at.value, 0), typed.length - 1)
    if (step === undefined) choose(typed[place])
    else at.value = (Math.max(place, step < 0 ? 0 : NONE) + step + typed.length) % typed.length
  }
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[selected] && `entry-${found[selected].id}`}
        aria-label="Key or part of a name"
        placeholder="Key or part of a name"
        autofocus
        spellcheck={false}
        value={text.value}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget: { value } }) => {
          text.value = value
          at.value = value === '' ? NONE : 0
        }}
      />
      <div id="palette-list" class="palette-list" role="listbox" aria-label="Commands">
        {found.map((entry, i) => (
          <button
            key={entry.id}
            type="button"
            id={`entry-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === selected}
            aria-disabled={entry.off !== undefined}
            onClick={() => choose(entry)}
          >
            {entry.key && <kbd>{entry.key}</kbd>} {entry.title}
            {entry.off !== undefined && <small> {entry.off}</small>}
          </button>
        ))}
      </div>
    </>
  )
}
