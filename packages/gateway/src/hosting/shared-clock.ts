import { type Engine, type PlannedPace, systemClock } from '@orrery/engine'
import { type GameRecords, type JournalWriter, LeaderClock } from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { Sockets } from '../sockets/sockets.ts'
import { clockMessage } from '../views/wire-views.ts'
import type { HostLife } from './host.ts'

/** How changes of the clock reach other hosts that fly. */
export type SharedClock = Pick<LeaderClock, 'plan' | 'next'> & {
  /** as it will be when all that is planned has acted */
  timeScale(): number
}

/** The clock of a process beside which no other can fly. */
export function ownClock(engine: Pick<Engine, 'status'>): SharedClock {
  return {
    plan: async () => undefined,
    next: () => undefined,
    timeScale: () => engine.status().timeScale,
  }
}

interface LeadersClockOptions extends Pick<HostLife, 'hostClock'> {
  readonly sql: GameRecords['sql']
  readonly owner: GameRecords['owner']
  readonly kept: GameRecords['kept']
  readonly logger: Logger
  readonly engine: Engine
  readonly journal: JournalWriter
  readonly sockets: Pick<Sockets, 'broadcast'>
}

/** The clock of a leader; clients see what changes as it was planned. */
export function leadersClock({ engine, kept, sockets, ...more }: LeadersClockOptions): LeaderClock {
  const onPace = ({ paused }: PlannedPace, before: PlannedPace): void => {
    const status = engine.status()
    const moment = { tick: status.tick, game_time: new Date(status.gameTimeMs).toISOString() }
    if (paused !== before.paused) {
      sockets.broadcast({ type: paused ? 'paused' : 'resumed', ...moment })
    }
    sockets.broadcast(clockMessage(status))
  }
  const era = (): number => kept.settings.era
  return new LeaderClock({ ...more, era, engine, clock: systemClock, onPace })
}
