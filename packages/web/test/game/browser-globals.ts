// What the game uses of a browser, where there is none.
import { vi } from 'vitest'

export interface BrowserGlobals {
  readonly document: EventTarget & { hidden: boolean }
  readonly window: EventTarget
  /** of the system */
  readonly motion: EventTarget & { matches: boolean }
}

/** `vi.unstubAllGlobals` takes them away. */
export function stubBrowser(): BrowserGlobals {
  const document = Object.assign(new EventTarget(), { hidden: false })
  const motion = Object.assign(new EventTarget(), { matches: false })
  const window = new EventTarget()
  const kept = new Map<string, string>()
  vi.stubGlobal('document', document)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('matchMedia', () => motion)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  return { document, window, motion }
}
