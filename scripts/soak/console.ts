/** An operators' console that stays open, as far as the server notices. */
import { type AdminClient, type GameClient, connectSocket } from '@orrery/client'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from './tally.ts'

export interface ConsoleOptions {
  readonly url: string
  readonly token: string
  readonly game: GameClient
  readonly admin: AdminClient
  readonly tally: Tally
}

/** Between two readings of a console, and of its listings [readings]. */
const LOOK_MS = 1000
const LISTINGS_EVERY = 10

/** Reads what an open console reads, and watches its map, until it is over. */
export async function keepConsoleOpen(
  { url, token, game, admin, tally }: ConsoleOptions,
  over: AbortSignal,
): Promise<void> {
  const socket = connectSocket({ url, token, wire: 'binary' })
  socket.on('disconnected', ({ code, reason }) => {
    if (!over.aborted) tally.fault(`an observer is closed with ${code} ${reason}`)
  })
  for (let i = 0; !over.aborted; i++) {
    await tally.request('console', () => Promise.all([game.status(), admin.status(), admin.load()]))
    if (i % LISTINGS_EVERY === 0) {
      await tally.request('listings', () =>
        Promise.all([
          admin.history({ span: 'hour' }),
          admin.players.list({ limit: 50 }),
          admin.snapshots.list(),
          admin.maneuverLog.events(),
          admin.audit(),
        ]),
      )
    }
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => undefined)
  }
  socket.close()
}
