// Which ticks a socket was shown, and how many the server says that it could not show alone.
import type { ServerMessage } from '@orrery/protocol'
import { parseScrape } from '@orrery/testkit/scrape'
import { type Place, adminToken, ask } from './player-client.ts'

export interface ShownTicks {
  readonly count: number
  /** between those that were shown */
  readonly missed: number
  /** such as `7 → 5` */
  readonly backwards: readonly string[]
}

/** A structural command while paused has a frame of the same tick. */
export function shownTicks(messages: readonly ServerMessage[]): ShownTicks {
  const ticks = messages.flatMap((message) => (message.type === 'tick' ? [message.tick] : []))
  const steps = ticks.slice(1).map((tick, i) => tick - ticks[i])
  return {
    count: ticks.length,
    missed: steps.reduce((sum, step) => sum + Math.max(0, step - 1), 0),
    backwards: steps.flatMap((step, i) => (step < 0 ? [`${ticks[i]} → ${ticks[i + 1]}`] : [])),
  }
}

/** Ticks that came to sockets with a later one only, since that ran before they were durable. */
export async function ticksUnshown(server: Place): Promise<number> {
  const { text } = await ask(server, 'GET', '/metrics', { token: await adminToken(server) })
  return parseScrape(text).get('orrery_ticks_unshown_total') ?? NaN
}
