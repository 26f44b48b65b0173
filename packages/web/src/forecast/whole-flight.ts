/** The whole of a long flight, as the server flies it ahead to its end. */
import { ClientError } from '@orrery/client'
import type { SupposedOrder } from './flight-ahead.ts'
import type { Session } from '../session/session.ts'

/** How far its states reach beyond the last order [h]: not needed. */
const BEYOND_HOURS = 0.1

export interface WholeFlight {
  /** [m/s] */
  readonly deltaV: number
  /** game time, as milliseconds of UTC */
  readonly endMs: number
}

/** What orders take that are given now; undefined where they do not complete, or it is unknown. */
export async function wholeFlight(
  { socket }: Session,
  orders: readonly SupposedOrder[],
): Promise<WholeFlight | undefined> {
  const after = Math.max(0, ...orders.map((order) => order.after ?? 0))
  const hours = after / 3600 + BEYOND_HOURS
  try {
    const answer = await socket.predict({ hours, to_end: true, orders })
    const last = answer.marks.findLast(({ mark }) => mark === 'maneuver_completed')
    if (!last) return undefined
    const endMs = Date.parse(answer.game_time) + 1000 * last.seconds
    return { deltaV: answer.delta_v, endMs }
  } catch (error) {
    // What is reckoned stays shown.
    if (error instanceof ClientError) return undefined
    throw error
  }
}
