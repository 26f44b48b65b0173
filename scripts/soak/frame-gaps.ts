/** The time between two frames as a client sees it. */
import type { GameSocket } from '@orrery/client'
import { QUANTA_PER_SECOND } from '@orrery/sim'

/** Where a binary frame has the published index, a double. */
const INDEX_BYTE = 8

/** How often frames come. */
export interface Pace {
  readonly rateHz: number
  /** game seconds per second */
  readonly scale: number
}

/** A frame of a new tick. */
interface Seen {
  readonly atMs: number
  /** number of a tick, or a published index */
  readonly place: number
}

/**
 * Follows the frames of a socket of either kind.
 *
 * @param onGap  receives when the frame before came, and the time since [ms]. A binary frame with
 *   nothing to say is not sent: the periods of such ticks are left out
 */
export function followGaps(
  socket: GameSocket,
  { rateHz, scale }: Pace,
  onGap: (sinceMs: number, ms: number) => void,
): void {
  const periodMs = 1000 / rateHz
  let last: Seen | undefined
  const see = (place: number, silentMs: (last: Seen) => number): void => {
    // A frame of the same tick answers a new view or an order.
    if (last && place <= last.place) return
    const atMs = performance.now()
    if (last) onGap(last.atMs, atMs - last.atMs - silentMs(last))
    last = { atMs, place }
  }
  const forget = (): void => {
    last = undefined
  }
  socket.on('welcome', forget)
  socket.on('restored', forget)
  socket.on('tick', ({ tick }) => see(tick, () => 0))
  socket.on('frame', (bytes) => {
    const index = new DataView(bytes).getFloat64(INDEX_BYTE, true)
    const msPerQuantum = 1000 / QUANTA_PER_SECOND / scale
    see(index, ({ place }) => (index - place) * msPerQuantum - periodMs)
  })
}
