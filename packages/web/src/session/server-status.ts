/** What the server states of itself, while a player is connected. */
import type { GameClient } from '@orrery/client'
import { type ReadonlySignal, type Signal, effect } from '@preact/signals'

type Status = Awaited<ReturnType<GameClient['status']>>

/** Between two requests [ms]. */
const PERIOD_MS = 10_000

/** Asks during each session, as long as the page is seen. */
export function followStatus(
  client: GameClient,
  session: ReadonlySignal<unknown>,
  status: Signal<Status | undefined>,
): void {
  effect(() => {
    const { value } = session
    if (!value) return undefined
    const ask = async (): Promise<void> => {
      if (document.hidden) return
      const news = await client.status().catch(() => undefined)
      if (news && session.peek() === value) status.value = news
    }
    void ask()
    const timer = setInterval(() => void ask(), PERIOD_MS)
    return () => clearInterval(timer)
  })
}
