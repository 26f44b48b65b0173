import type { CanaryMismatch } from './pool/canary.ts'
import type { GameClock } from './time/game-clock.ts'
import type { CommandJournal } from './commands/command-row.ts'
import type { SystemCommand } from './commands/world-command.ts'
import type { ManeuverEvent } from './world/maneuver.ts'
import type { TickTiming } from './time/monitor.ts'
import type { Pool } from './pool/pool.ts'
import type { ShipNotice } from './views/ship-view.ts'
import type { TempoSettings } from './time/tempo.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { SystemDigest } from './flown-universe.ts'
import type { Universe } from './world/universe.ts'

/** A universe to continue from its present index, and the pool that flies it. */
export interface TickedUniverse {
  readonly universe: Universe
  readonly gameClock: GameClock
  readonly tick: number
  readonly pool: Pool
}

export interface EngineOptions extends TickedUniverse, TempoSettings {
  readonly clock: WallClock
  readonly paused: boolean
  /** where commands are journalled; nowhere when omitted */
  readonly journal?: CommandJournal
  /** called after each tick, and while paused after each structural command */
  readonly onPublish: () => void
  /** called with each structural command that has acted, before it is published */
  readonly onCommand?: (systemId: string, command: SystemCommand) => void
  /** called with what happened to a ship in a tick, by index and ship, before it is published */
  readonly onEvent?: (event: ShipNotice) => void
  /** called with events of ships' maneuvers, by index and ship, before they are published */
  readonly onManeuver?: (event: ManeuverEvent) => void
  /** called with each system's digest of a multiple of 64 s, once what is published is past it */
  readonly onDigest?: (digest: SystemDigest) => void
  /** called when a chunk was flown twice and its bits differ */
  readonly onMismatch?: (mismatch: CanaryMismatch) => void
  /** called with the timing of each tick, after it was published */
  readonly onTick?: (timing: TickTiming) => void
  /** called when a tick broke; the engine has paused itself */
  readonly onFault: (error: unknown) => void
}
