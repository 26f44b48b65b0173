import type { Engine, EngineOptions } from '@orrery/engine'
import type {
  JournalWriter,
  JournalWriterOptions,
  ManeuverKeeping,
  SnapshotSchedule,
} from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { Metrics } from './operations/metrics.ts'
import { createSlowTickLog } from './operations/slow-ticks.ts'
import type { Sockets } from './sockets/sockets.ts'
import { eventMessage } from './wire-views.ts'

/** Those who hear of each other. */
export interface NewsReaders {
  readonly engine: Engine
  readonly journalWriter: JournalWriter
  readonly maneuverKeeping: ManeuverKeeping
  readonly sockets: Sockets
}

export interface NewsOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  /** another server has taken the world: nothing that happens here will be kept */
  readonly onFenced: () => void
}

/** What is done, and told, when something happens in the game. */
export interface News {
  readonly ofEngine: Pick<
    Required<EngineOptions>,
    'onDigest' | 'onEvent' | 'onFault' | 'onManeuver' | 'onMismatch' | 'onPublish' | 'onTick'
  >
  readonly ofJournal: Pick<JournalWriterOptions, 'onAway' | 'onLost' | 'onBack' | 'onFenced'>
}

/** @param readers  asked when there is news, never before */
export function createNews(
  options: NewsOptions,
  schedule: SnapshotSchedule,
  readers: () => NewsReaders,
): News {
  return {
    ofEngine: engineNews(options, schedule, readers),
    ofJournal: journalNews(options, readers),
  }
}

function engineNews(
  { logger, metrics }: NewsOptions,
  schedule: SnapshotSchedule,
  readers: () => NewsReaders,
): News['ofEngine'] {
  const slowTicks = createSlowTickLog(logger)
  return {
    onTick: (timing) => {
      metrics.tick(timing)
      slowTicks(timing)
      schedule.flown(timing.phases.flight)
    },
    onDigest: (digest) => readers().journalWriter.digest(digest),
    onPublish: () => readers().sockets.broadcastTick(),
    onEvent: (notice) => {
      if (notice.kind === 'frozen') logger.error(notice, 'a ship broke and stands still')
      readers().sockets.tell(notice.shipId, eventMessage(notice))
    },
    onManeuver: (event) => readers().maneuverKeeping.add(event),
    onMismatch: (mismatch) => logger.fatal(mismatch, 'two kernels disagree on the same ships'),
    onFault: (error) => {
      logger.fatal({ err: error }, 'a tick broke; the world is paused')
      const { engine, sockets } = readers()
      sockets.broadcast({ type: 'paused', ...momentOf(engine) })
    },
  }
}

/** While what was acted on does not become durable, the world stands. */
function journalNews(
  { logger, onFenced }: NewsOptions,
  readers: () => NewsReaders,
): News['ofJournal'] {
  return {
    onAway: () => logger.error('the database is away; commands are refused'),
    onLost: () => {
      logger.fatal('the database is away for too long; the world is paused until it is back')
      const { engine, sockets } = readers()
      const { paused } = engine.status()
      engine.holdUndurable()
      if (!paused) sockets.broadcast({ type: 'paused', ...momentOf(engine) })
    },
    onBack: () => {
      logger.warn('the database is back; all that was acknowledged is kept')
      const { engine, sockets } = readers()
      const before = engine.status().paused
      engine.releaseUndurable()
      const { paused } = engine.status()
      if (before && !paused) sockets.broadcast({ type: 'resumed', ...momentOf(engine) })
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
