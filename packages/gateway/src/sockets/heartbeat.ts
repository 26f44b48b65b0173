import type { WallClock } from '@orrery/engine'
import type { WebSocket } from 'ws'

/** A socket that has not answered a ping by the time of the next one is cut off. */
const HEARTBEAT_MS = 30_000

/** Cuts a socket off when its other end is gone without a word, and says so. */
export function watchHeartbeat(socket: WebSocket, clock: WallClock, onLost: () => void): void {
  let isAlive = true
  const beat = (): void => {
    if (!isAlive) {
      onLost()
      return socket.terminate()
    }
    isAlive = false
    if (socket.readyState === socket.OPEN) socket.ping()
    cancel = clock.after(HEARTBEAT_MS, beat)
  }
  let cancel = clock.after(HEARTBEAT_MS, beat)
  socket.on('pong', () => {
    isAlive = true
  })
  socket.once('close', () => cancel())
}
