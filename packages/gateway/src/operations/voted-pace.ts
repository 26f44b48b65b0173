import type { Engine } from '@orrery/engine'
import type { LeaderClock, SerialQueue } from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { Settings } from '@orrery/store'
import type { Sockets } from '../sockets/sockets.ts'
import { clockMessage } from '../views/wire-views.ts'

/** Between two looks at the votes [ms]. */
const LOOK_MS = 1000

export interface VotedPaceOptions {
  readonly engine: Pick<Engine, 'status' | 'changeTimeScale'>
  readonly sockets: Pick<Sockets, 'broadcast' | 'paceVotes'>
  readonly settings: Readonly<Pick<Settings, 'timeScale'>>
  readonly sharedClock: Pick<LeaderClock, 'plan' | 'timeScale'>
  readonly controlQueue: SerialQueue
  readonly logger: Pick<Logger, 'info'>
  readonly onError: (error: unknown) => void
}

/**
 * Runs game time at the pace that pilots vote for, and without a full vote at the operator's time
 * scale. Only the leader of a universe does so: its clock is that of all.
 */
export function createVotedPace(options: VotedPaceOptions): { start(): void; stop(): void } {
  const { engine, sockets, settings, sharedClock, controlQueue, logger, onError } = options
  let timer: NodeJS.Timeout | undefined
  let inForce: number | null = null
  const look = (): void => {
    const { pace } = sockets.paceVotes()
    // A restore or a reset has set the operator's.
    const isKept = pace === null || sharedClock.timeScale() === pace
    if (pace === inForce && isKept) return
    inForce = pace
    controlQueue(async () => {
      // Votes may be others once it is its turn.
      const scale = sockets.paceVotes().pace ?? settings.timeScale
      const planned = await sharedClock.plan({ timeScale: scale })
      if (!planned && engine.changeTimeScale(scale) === scale) return
      if (!planned) sockets.broadcast(clockMessage(engine.status()))
      const at = planned && { effective_at_index: planned.index }
      logger.info({ time_scale: scale, ...at }, 'the time scale follows the votes of pilots')
    }).catch(onError)
  }
  return {
    start: () => {
      timer ??= setInterval(look, LOOK_MS)
    },
    stop: () => clearInterval(timer),
  }
}
