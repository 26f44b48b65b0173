/** Ends the wait for a connection when the player is back at the page, or the network is there. */
import type { Game } from './game.ts'

export function attachWaking({ live, connection }: Game): void {
  const wake = (): void => {
    const present = connection.peek()
    const isWaiting = typeof present === 'object' && 'retryAtMs' in present
    if (isWaiting && !document.hidden) live.peek()?.socket.reconnect()
  }
  document.addEventListener('visibilitychange', wake)
  addEventListener('online', wake)
}
