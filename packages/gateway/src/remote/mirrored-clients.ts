import type { EngineStatus, Mirror, MirrorOptions } from '@orrery/engine'
import type { FollowedPlace } from '@orrery/game'
import type { Sockets } from '../sockets/sockets.ts'
import { eventMessage } from '../views/wire-views.ts'

type Handlers = Pick<
  MirrorOptions,
  'onPublish' | 'onCommand' | 'onOrdered' | 'onEvent' | 'onReplaced'
>

/** What a mirror shows, on its way to the clients of this gateway. */
export interface MirroredClients {
  readonly handlers: Handlers
  /** resolves when a world is shown */
  readonly shown: Promise<void>
  /** a stored world was opened, which is shown next */
  opened(place: FollowedPlace): void
  connect(sockets: Sockets): void
}

export function createMirroredClients(mirror: () => Mirror): MirroredClients {
  const shown = Promise.withResolvers<void>()
  let sockets: Sockets | undefined
  let place: FollowedPlace | undefined
  let wasPaused: boolean | undefined
  const status = (): EngineStatus => mirror().status()

  const broadcastPause = (): void => {
    const { paused, tick, gameTimeMs } = status()
    const type = paused ? 'paused' : 'resumed'
    if (wasPaused !== undefined && wasPaused !== paused) {
      sockets?.broadcast({ type, tick, game_time: new Date(gameTimeMs).toISOString() })
    }
    wasPaused = paused
  }

  return {
    handlers: {
      onPublish: () => {
        shown.resolve()
        broadcastPause()
        sockets?.broadcastTick()
      },
      onCommand: (systemId, command) => sockets?.commanded(systemId, command),
      onOrdered: (shipId) => sockets?.ordered(shipId),
      onEvent: (notice) => sockets?.sendToPilot(eventMessage(notice)),
      onReplaced: () => {
        wasPaused = undefined
        const reason = place?.reason
        sockets?.worldReplaced(reason === 'reset' || reason === 'backup' ? reason : 'restored')
      },
    },
    shown: shown.promise,
    opened: (next) => {
      place = next
    },
    connect: (connected) => {
      sockets = connected
    },
  }
}
