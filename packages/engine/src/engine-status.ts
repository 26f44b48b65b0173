import { FROZEN, utcFromLattice } from '@orrery/sim'
import type { FlownUniverse } from './flown-universe.ts'
import type { CanaryReport } from './pool/canary.ts'
import type { PoolStatus } from './pool/pool.ts'
import { type GameTime, driftNow, publishedUtc, shownIndex } from './time/game-clock.ts'
import { type PhaseTimes, actualRate, utilisation } from './time/monitor.ts'
import { ticksBehind } from './time/schedule.ts'
import { type Tempo, effectiveScale, isSyncing, setRate, setScale, tickRate } from './time/tempo.ts'
import type { TickLoop } from './time/tick-loop.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { SystemDrift } from './world/drift-watch.ts'
import { type Universe, ownOf, shipCount } from './world/universe.ts'
import type { ModuleCost } from './world/world-modules.ts'
import type { World } from './world/world.ts'

/** What the engine measures and publishes. */
export interface EngineStatus {
  readonly tick: number
  readonly gameTimeMs: number
  /** quanta past the published index that players are shown now */
  readonly shownOffset: number
  /** ticks per second in force */
  readonly tickRate: number
  /** game seconds per second, as set and in force */
  readonly timeScale: number
  readonly effectiveTimeScale: number
  readonly actualRate: number
  /** the tick rate follows the load */
  readonly adaptiveTickRate: boolean
  /** it does, and game seconds alone are too much work at any rate */
  readonly overloaded: boolean
  /** game time is to follow UTC */
  readonly timeSyncEnabled: boolean
  /** it is, and does: the scale is about 1 */
  readonly timeSyncActive: boolean
  /** game time minus UTC */
  readonly timeDriftSeconds: number
  /** moment that game time hurries to [Unix ms]; undefined while it does not */
  readonly goalMs: number | undefined
  /** by an operator, or because commands do not become durable */
  readonly paused: boolean
  /** a tick broke; no tick runs before a resume */
  readonly faulted: boolean
  readonly ticksBehind: number
  /** wall time since the world was last published or began to tick; 0 while paused [ms] */
  readonly sinceTickMs: number
  readonly ticksDropped: number
  /** events that found no room in the table of their tick */
  readonly eventsLost: number
  /** signed residuals of energy and angular momentum, each of the worst system */
  readonly energyDrift: number
  readonly momentumDrift: number
  /** share of the tick period spent working */
  readonly utilisation: number
  readonly ships: number
  /** that there may be in all systems together */
  readonly shipsMax: number
}

/** Time of a universe, and the last command of each system: the start of a recovery. */
export interface EngineClock {
  /** published lattice index */
  readonly index: number
  /** carried part of a quantum, numerator and denominator in decimal */
  readonly remainder: readonly [string, string]
  readonly tick: number
  /** of the last command of each system that it owns; it acts after `index`, or has acted */
  readonly sequences: Readonly<Record<string, number>>
  /** ticks per second, and game seconds per second, as set */
  readonly tickRate: number
  readonly timeScale: number
  /** by an operator, or since a tick broke */
  readonly paused: boolean
}

export function engineClock(
  { worlds }: Universe,
  { clock: { index, remainder, denominator } }: GameTime,
  tick: number,
  tempo: Tempo,
  loop: TickLoop,
): EngineClock {
  return {
    index,
    remainder: [String(remainder), String(denominator)],
    tick,
    sequences: Object.fromEntries(
      ownOf(worlds).map(({ intake, state }) => [state.system.id, intake.sequence]),
    ),
    tickRate: setRate(tempo),
    timeScale: setScale(tempo),
    paused: loop.isHeld('paused'),
  }
}

/** Read thousands of times a second. */
export function engineStatus({
  clock,
  flown,
  loop,
  tempo,
  time,
  ...counts
}: {
  readonly clock: WallClock
  readonly flown: FlownUniverse
  readonly loop: TickLoop
  readonly tempo: Tempo
  readonly time: GameTime
  readonly tick: number
  readonly faulted: boolean
  readonly eventsLost: number
}): EngineStatus {
  const { schedule, monitor } = loop
  const { adaptive, sync } = tempo
  const { energy, momentum } = flown.drift.worst()
  const nowMs = clock.monotonicMs()
  const paused = loop.isHeld('paused')
  const scale = effectiveScale(tempo)
  const running = paused || loop.isHeld('stopped') ? 0 : scale
  return {
    ...counts,
    gameTimeMs: publishedUtc(time.clock),
    shownOffset: shownIndex(time, nowMs, running) - time.clock.index,
    tickRate: tickRate(tempo),
    timeScale: setScale(tempo),
    effectiveTimeScale: scale,
    actualRate: paused ? 0 : actualRate(monitor, nowMs, schedule.periodMs),
    adaptiveTickRate: adaptive !== undefined,
    overloaded: adaptive?.overloaded ?? false,
    timeSyncEnabled: sync !== undefined,
    timeSyncActive: isSyncing(tempo),
    timeDriftSeconds: driftNow(time, clock, running),
    goalMs: tempo.goal === undefined ? undefined : utcFromLattice(tempo.goal),
    paused,
    ticksBehind: paused ? 0 : ticksBehind(schedule, nowMs),
    sinceTickMs: paused ? 0 : nowMs - time.publishedMs,
    ticksDropped: schedule.dropped,
    energyDrift: energy,
    momentumDrift: momentum,
    utilisation: utilisation(monitor, schedule.periodMs),
    ships: shipCount(flown.universe),
    shipsMax: flown.universe.shipsMax,
  }
}

/** Metrics beside the status. */
export interface EngineMetrics {
  readonly systems: readonly SystemDrift[]
  readonly frozenShips: number
  /** of modules, one for each star system that has it */
  readonly modules: readonly ModuleCost[]
  /** control commands that wait for their index */
  readonly commandsPending: number
  readonly canary: CanaryReport
  readonly workers: PoolStatus
  readonly ticksDropped: number
  /** that another followed before what they changed was durable: it was shown with that one */
  readonly ticksUnshown: number
  /** of the last tick */
  readonly phases: PhaseTimes
}

/** A reading looks through all ship slots. */
export function engineMetrics(
  { universe: { worlds }, pool, canary, drift }: FlownUniverse,
  counts: Pick<EngineMetrics, 'ticksDropped' | 'ticksUnshown' | 'phases'>,
): EngineMetrics {
  return {
    systems: drift.systems(),
    frozenShips: sumOf(worlds, ({ state }) => frozenShips(state.ships.condition)),
    modules: worlds.flatMap(({ modules }) => modules?.costs ?? []),
    commandsPending: sumOf(worlds, ({ intake }) => intake.pending.length),
    canary: canary.report(),
    workers: pool.status(),
    ...counts,
  }
}

function sumOf(worlds: Universe['worlds'], count: (world: World) => number): number {
  return worlds.reduce((sum, world) => sum + count(world), 0)
}

/** Number of frozen ships. */
function frozenShips(condition: Uint8Array): number {
  let frozen = 0
  for (let at = condition.indexOf(FROZEN); at >= 0; at = condition.indexOf(FROZEN, at + 1)) frozen++
  return frozen
}
