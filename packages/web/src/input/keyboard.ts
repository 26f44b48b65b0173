/** Keys of the page: each does its action. */
import type { ReadonlySignal } from '@preact/signals'
import type { Action, Actions } from './actions.ts'
import { readLayout } from './key-names.ts'

/** Inputs that take no text. */
const TEXTLESS = new Set(['button', 'checkbox', 'radio', 'range'])

/** Controls use these keys, too: they act only while the picture has the focus. */
const OF_CONTROLS = /^(?:Arrow|Page|Home|End|Shift|Control)/

/**
 * Follows the keyboard.
 *
 * @param picture  the canvas
 * @param takesSigns  whether keys that type something act, too
 * @returns how to stop
 */
export function attachKeyboard(
  actions: Actions,
  picture: HTMLElement,
  takesSigns: ReadonlySignal<boolean>,
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  /** by the key's place on the keyboard, which its name with Shift differs from */
  const held = new Map<string, Action>()
  const release = (code: string): void => {
    held.get(code)?.release?.()
    held.delete(code)
  }
  const releaseAll = (): void => {
    for (const code of held.keys()) release(code)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.metaKey || event.altKey || isTyping(event.target) || isDialogOpen()) return
    if (event.key.length === 1 && !takesSigns.peek()) return
    const action = actions.ofKey(event)
    if (!action || (event.ctrlKey && !action.release)) return
    const { target } = event
    if (OF_CONTROLS.test(event.key) && target !== picture && target !== document.body) return
    event.preventDefault()
    if (event.repeat && !action.repeats) return
    if (action.release) held.set(event.code, action)
    action.act()
  }
  document.addEventListener('keydown', press, { signal })
  document.addEventListener('keyup', ({ code }) => release(code), { signal })
  addEventListener('blur', releaseAll, { signal })
  document.addEventListener('visibilitychange', releaseAll, { signal })
  // It may be switched in another window.
  addEventListener('focus', () => void readLayout(), { signal })
  void readLayout()
  addEventListener('beforeunload', (event) => keepPage(event, held), { signal })
  return () => {
    releaseAll()
    stop.abort()
  }
}

/** With Ctrl held to fly, Ctrl+W would close the page: the browser asks before. */
function keepPage(event: Event, held: ReadonlyMap<string, Action>): void {
  if (held.size > 0) event.preventDefault()
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !TEXTLESS.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
