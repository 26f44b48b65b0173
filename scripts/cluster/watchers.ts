/** Players that only look at their own ships, and the longest time that one stood still. */
import { connectSocket } from '@orrery/client'
import type { Account } from '../crash/scenario.ts'

export interface Watcher {
  /** a place in the list of gateways */
  readonly gateway: number
  readonly systemId: string
  /** begins to measure */
  begin(): void
  /** the longest one since then, also of one that lasts [ms] */
  longestMs(): number
  /** frames that showed the ship elsewhere since then */
  frames(): number
  close(): void
}

export function startWatcher(
  { token, shipId }: Account,
  { url, gateway, systemId }: Pick<Watcher, 'gateway' | 'systemId'> & { readonly url: string },
): Watcher {
  const socket = connectSocket({ url, token, view: { ids: [shipId] } })
  // It connects again by itself.
  socket.opened.catch(() => undefined)
  let shown = ''
  let lastMs = performance.now()
  let longestMs = 0
  let frames = 0
  socket.on('tick', ({ ships }) => {
    const place = JSON.stringify(ships[0]?.position)
    if (ships.length === 0 || place === shown) return
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    shown = place
    lastMs = nowMs
    frames++
  })
  return {
    gateway,
    systemId,
    begin: () => {
      longestMs = 0
      frames = 0
    },
    longestMs: () => Math.max(longestMs, performance.now() - lastMs),
    frames: () => frames,
    close: () => socket.close(),
  }
}
