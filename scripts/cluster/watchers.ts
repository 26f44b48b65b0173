/** Players that look at their own ships and some others, and how long these stood still at most. */
import { connectSocket } from '@orrery/client'
import type { Account } from '../crash/scenario.ts'
import { SeenFrames } from './seen-frames.ts'

export interface Watcher {
  /** a place in the list of gateways */
  readonly gateway: number
  readonly systemId: string
  /** looks at further ships, too */
  follow(shipIds: readonly string[]): Promise<unknown>
  /** begins to measure */
  begin(): void
  /** the longest one since then, also of one that lasts [ms] */
  longestMs(): number
  /** frames that showed the ship elsewhere since then */
  frames(): number
  readonly seen: SeenFrames
  close(): void
}

export function startWatcher(
  { token, shipId }: Pick<Account, 'token' | 'shipId'>,
  { url, gateway, systemId }: Pick<Watcher, 'gateway' | 'systemId'> & { readonly url: string },
): Watcher {
  const socket = connectSocket({ url, token, view: { ids: [shipId] } })
  // It connects again by itself.
  socket.opened.catch(() => undefined)
  let shown = ''
  let lastMs = performance.now()
  let longestMs = 0
  let frames = 0
  const seen = new SeenFrames()
  socket.on('tick', (message) => {
    const { ships } = message
    // The ship may not have come to its star system yet.
    if (ships.some((ship) => ship.system_id === systemId)) {
      seen.saw(systemId, message, performance.now())
    }
    const own = ships.find((ship) => ship.ship_id === shipId)
    const place = JSON.stringify(own?.position)
    if (!own || place === shown) return
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    shown = place
    lastMs = nowMs
    frames++
  })
  return {
    gateway,
    systemId,
    seen,
    follow: (shipIds) => socket.subscribe({ ids: [shipId, ...shipIds] }),
    begin: () => {
      longestMs = 0
      frames = 0
    },
    longestMs: () => Math.max(longestMs, performance.now() - lastMs),
    frames: () => frames,
    close: () => socket.close(),
  }
}
