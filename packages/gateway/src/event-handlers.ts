import { type Engine, type EngineOptions, stopSystem } from '@orrery/engine'
import type {
  JournalWriter,
  JournalWriterOptions,
  ManeuverEventWriter,
  SnapshotSchedule,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { Load } from './operations/load.ts'
import type { Metrics } from './operations/metrics.ts'
import { createSlowTickLog } from './operations/slow-ticks.ts'
import type { Sockets } from './sockets/sockets.ts'
import { eventMessage } from './views/wire-views.ts'

/** The parts that events go to. */
export interface EventReceivers {
  readonly engine: Engine
  readonly journalWriter: JournalWriter
  readonly maneuverEventWriter: ManeuverEventWriter
  readonly sockets: Sockets
  readonly load: Pick<Load, 'digest'>
}

export interface EventHandlersOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly schedule: SnapshotSchedule
  /** another server has taken the world: nothing that happens here will be kept */
  readonly onFenced: () => void
}

/** What is done when something happens in the game. */
export interface EventHandlers {
  readonly engine: Pick<
    Required<EngineOptions>,
    | 'onCommand'
    | 'onDigest'
    | 'onEvent'
    | 'onFault'
    | 'onManeuver'
    | 'onMismatch'
    | 'onPublish'
    | 'onTick'
  >
  readonly journal: Pick<
    JournalWriterOptions,
    'moment' | 'onAway' | 'onBack' | 'onFenced' | 'onSystemStopped'
  >
  /** Names the receivers. Engine and journal need the handlers first, and raise no event before. */
  connect(receivers: EventReceivers): void
}

/** The parts, once they are connected. */
type Receivers = () => EventReceivers

export function createEventHandlers(options: EventHandlersOptions): EventHandlers {
  let connected: EventReceivers | undefined
  const receivers: Receivers = () => {
    if (!connected) throw new Error('An event before its receivers are connected')
    return connected
  }
  return {
    engine: engineHandlers(options, receivers),
    journal: journalHandlers(options, receivers),
    connect: (parts) => {
      connected = parts
    },
  }
}

function engineHandlers(
  { logger, metrics, schedule }: EventHandlersOptions,
  receivers: Receivers,
): EventHandlers['engine'] {
  const slowTicks = createSlowTickLog(logger)
  return {
    onTick: (timing) => {
      metrics.tick(timing)
      slowTicks(timing)
      schedule.flown(timing.phases.flight)
    },
    onCommand: (systemId, command) => receivers().sockets.commanded(systemId, command),
    onDigest: (digest) => {
      receivers().journalWriter.digest(digest)
      receivers().load.digest(digest)
    },
    onPublish: () => receivers().sockets.broadcastTick(),
    onEvent: (notice) => {
      if (notice.kind === 'frozen') logger.error(notice, 'a ship cannot be flown and is frozen')
      receivers().sockets.sendToPilot(eventMessage(notice))
    },
    onManeuver: (event) => receivers().maneuverEventWriter.add(event),
    onMismatch: (mismatch) => logger.fatal(mismatch, 'two kernels disagree on the same ships'),
    onFault: (error) => {
      logger.fatal({ err: error }, 'a tick broke; the world is paused')
      const { engine, sockets } = receivers()
      sockets.broadcast({ type: 'paused', ...momentOf(engine) })
    },
  }
}

/** Without the database the world flies on: without commands it comes out as a replay would. */
function journalHandlers(
  { logger, onFenced }: EventHandlersOptions,
  receivers: Receivers,
): EventHandlers['journal'] {
  return {
    moment: () => receivers().engine.clock(),
    onAway: () => {
      const { away: reason } = receivers().journalWriter.metrics()
      logger.error({ reason }, 'the database is away; commands are refused')
    },
    onBack: () => logger.warn('the database is back; all that was acknowledged is kept'),
    onSystemStopped: (systemId, error) => {
      logger.fatal({ system: systemId, err: error }, 'a star system is stopped; others go on')
      stopSystem(receivers().engine.universe, systemId, error.message)
    },
    onFenced: () => {
      logger.fatal('another server has taken the world')
      onFenced()
    },
  }
}

function momentOf(engine: Engine): { readonly tick: number; readonly game_time: string } {
  const { tick, gameTimeMs } = engine.status()
  return { tick, game_time: new Date(gameTimeMs).toISOString() }
}
