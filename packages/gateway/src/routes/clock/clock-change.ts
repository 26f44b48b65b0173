import type { PaceChange } from '@orrery/game'
import type { AdminStatusResponse, PauseResponse } from '@orrery/protocol'
import { utcFromLattice } from '@orrery/sim'
import type { Actor, Settings } from '@orrery/store'
import type { AppParts } from '../../app-parts.ts'
import { clockMessage } from '../../views/wire-views.ts'

/** Of descriptions. */
export const PLANNED =
  'While several hosts fly it acts 4 s later, on all at one index; the answer comes then.'

/** A change of how the clock runs. */
interface ClockChange<Done> {
  readonly admin: Actor
  readonly settings: Partial<Settings>
  readonly pace: PaceChange
  /** of the audit trail, where the change waits */
  readonly entry: Readonly<Record<string, string | number | boolean>>
  /** makes it, where no other host flies, and enters it in the audit trail */
  readonly atOnce: () => Promise<Done>
  /** the same answer after the tick with which a change that waited has acted */
  readonly acted: (tick: number) => Done
}

/** The answer, and what it says where the change has waited for its index. */
type ClockChanged<Done> = readonly [Done, Pick<PauseResponse, 'effective_at_index'>]

/**
 * Stores a change, and makes it at once; while several hosts fly it acts at an index that all have
 * read before, and the answer comes then.
 */
export async function changeClock<Done>(
  { audit, changeSettings, controlQueue, sharedClock }: AppParts,
  action: string,
  { admin, settings, pace, entry, atOnce, acted }: ClockChange<Done>,
): Promise<ClockChanged<Done>> {
  const outcome = await controlQueue(async () => {
    await changeSettings(settings)
    const planned = await sharedClock.plan(pace)
    if (!planned) return { done: await atOnce() }
    await audit(admin, action, { ...entry, effective_at_index: planned.index })
    return { planned }
  })
  if (!outcome.planned) return [outcome.done, {}]
  const { acted: tick, index } = outcome.planned
  return [acted(await tick), { effective_at_index: index }]
}

/** What a status has of the change that acts next; null where none waits. */
export function plannedChange({ sharedClock }: AppParts): AdminStatusResponse['planned'] {
  const next = sharedClock.next()
  if (!next) return null
  const { lattice, paused, tickRate, timeScale } = next
  return {
    effective_at_index: lattice,
    game_time: new Date(utcFromLattice(lattice)).toISOString(),
    paused,
    tick_rate: tickRate,
    time_scale: timeScale,
  }
}

/** Sends all clients how the clock runs. */
export function broadcastClock({ engine, sockets }: AppParts): void {
  sockets.broadcast(clockMessage(engine.status()))
}

/** As it is now (UTC). */
export function gameTime({ engine }: AppParts): string {
  return new Date(engine.status().gameTimeMs).toISOString()
}
