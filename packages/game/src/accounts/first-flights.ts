import type { Accounts, NewJournalBatch } from '@orrery/store'

/** Commands that make and end an account's ship, by its owner. */
const NO_FLIGHT: ReadonlySet<unknown> = new Set(['create_ship', 'remove_ship'])

/** Notes once of each account that it has commanded its ship. */
export interface FirstFlights {
  /** Resolves when the actors of durable commands are noted; never rejects. */
  written(rows: NewJournalBatch['rows']): Promise<void>
  /** the accounts were replaced */
  forget(): void
}

export function createFirstFlights(
  accounts: Pick<Accounts, 'markFlown'>,
  onError: (error: unknown) => void,
): FirstFlights {
  const noted = new Set<string>()
  return {
    written: async (rows) => {
      const fresh = new Set<string>()
      for (const { actor, command } of rows) {
        if (actor === null || noted.has(actor) || NO_FLIGHT.has(Object(command).kind)) continue
        fresh.add(actor)
      }
      if (fresh.size === 0) return
      try {
        await accounts.markFlown([...fresh])
        for (const actor of fresh) noted.add(actor)
      } catch (error) {
        // The next command of the same pilot tries again.
        onError(error)
      }
    },
    forget: () => noted.clear(),
  }
}
