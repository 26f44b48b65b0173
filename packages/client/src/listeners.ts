export interface Listeners<Events extends object> {
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof Events>(kind: Kind, listener: (event: Events[Kind]) => void): () => void
  /** whether there is a listener */
  has(kind: keyof Events): boolean
  emit<Kind extends keyof Events>(kind: Kind, event: Events[Kind]): void
}

/** A listener that throws is reported as an uncaught error, and the others are still called. */
export function createListeners<Events extends object>(): Listeners<Events> {
  const byKind = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on: (kind, listener) => {
      const listeners = byKind.get(kind) ?? new Set()
      byKind.set(kind, listeners.add(listener))
      return () => void listeners.delete(listener)
    },
    has: (kind) => (byKind.get(kind)?.size ?? 0) > 0,
    emit: (kind, event) => {
      // A copy: a listener that is added meanwhile gets the next event.
      for (const listener of new Set(byKind.get(kind))) {
        try {
          listener(event as never)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
