import type { ClientClock } from '../clocks/client-clock.ts'
import type { GameSocket } from '../socket/game-socket.ts'

/** Pings go so often at first, and later [ms]: the clock's lead follows from their round trips. */
const FIRST_MS = 1000
const LATER_MS = 5000
const FIRST_COUNT = 8

/** Measures round trips until it is stopped, which what it returns does. */
export function measureRoundTrips(
  socket: GameSocket,
  clock: ClientClock,
  onRoundTrip: (ms: number) => void,
): () => void {
  let count = 0
  let cancel: () => void = () => undefined
  const wait = (): void => {
    cancel = clock.after(++count > FIRST_COUNT ? LATER_MS : FIRST_MS, () => {
      socket.ping().catch(() => undefined)
      wait()
    })
  }
  wait()
  const stop = socket.on('pong', ({ client_time: sentMs }) => {
    if (sentMs !== undefined) onRoundTrip(Math.max(0, clock.utcMs() - sentMs))
  })
  return () => {
    cancel()
    stop()
  }
}
