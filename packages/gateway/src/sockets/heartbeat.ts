import type { WallClock } from '@orrery/engine'
import type { WebSocket } from 'ws'

/** A socket that has not answered a ping when the next is due is terminated. */
export const HEARTBEAT_MS = 30_000

/** Terminates a socket whose other end has vanished, and reports it. */
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
