import { type AdaptiveRate, adaptedRate, createAdaptiveRate, rateInReach } from './adaptive-rate.ts'
import { QUANTA_PER_SECOND } from '@orrery/sim'
import { MICRO } from './game-clock.ts'
import type { TickWork } from './tick-cost.ts'
import { type TimeSync, canFollowUtc, scaleTowardsPlan, scaleTowardsUtc } from './time-sync.ts'

/** Settings of an operator. */
export interface TempoSettings {
  /** ticks per second */
  readonly tickRate: number
  /** game seconds per second */
  readonly timeScale: number
  /** the tick rate follows the load; else it is the set one */
  readonly adaptiveTickRate?: boolean
  /** game time follows UTC where the scale is about 1 */
  readonly timeSyncEnabled?: boolean
}

/** Tick rate and time scale, as set and in force, in millionths. */
export interface Tempo {
  setRateMicro: number
  setScaleMicro: number
  rateMicro: number
  scaleMicro: number
  /** while switched on */
  adaptive: AdaptiveRate | undefined
  sync: TimeSync | undefined
  /** where it follows a plan instead, and the scale of that in millionths */
  plan: { readonly paceMicro: number; readonly sync: TimeSync } | undefined
  /** lattice index that game time hurries to; undefined while it does not */
  goal: number | undefined
}

/** Game time of a tick that hurries [s]: as long as that of a tick at 0.1 Hz and scale 100. */
const HURRY_SECONDS = 1000

export function createTempo(settings: TempoSettings): Tempo {
  const setRateMicro = Math.round(settings.tickRate * MICRO)
  const setScaleMicro = Math.round(settings.timeScale * MICRO)
  const tempo: Tempo = {
    setRateMicro,
    setScaleMicro,
    rateMicro: setRateMicro,
    scaleMicro: setScaleMicro,
    adaptive: undefined,
    sync: settings.timeSyncEnabled ? { quiet: false } : undefined,
    plan: undefined,
    goal: undefined,
  }
  if (settings.adaptiveTickRate) switchAdaptive(tempo, true)
  return tempo
}

/** Ticks per second in force [Hz]. */
export function tickRate({ rateMicro }: Tempo): number {
  return rateMicro / MICRO
}

/** Ticks per second that were set [Hz]. */
export function setRate({ setRateMicro }: Tempo): number {
  return setRateMicro / MICRO
}

/** Game seconds per second that were set. */
export function setScale({ setScaleMicro }: Tempo): number {
  return setScaleMicro / MICRO
}

/** Game seconds per second in force. */
export function effectiveScale({ scaleMicro }: Tempo): number {
  return scaleMicro / MICRO
}

/** Whether game time follows UTC now. */
export function isSyncing({ sync, setScaleMicro }: Tempo): boolean {
  return sync !== undefined && canFollowUtc(setScaleMicro)
}

/** Sets the tick rate [Hz], which is in force once it is not adaptive; returns the previous one. */
export function changeSetRate(tempo: Tempo, hz: number): number {
  const before = tempo.setRateMicro / MICRO
  tempo.setRateMicro = Math.round(hz * MICRO)
  if (!tempo.adaptive) tempo.rateMicro = tempo.setRateMicro
  return before
}

/** Sets the time scale; returns the previous one. To be followed by `followUtc`. */
export function changeSetScale(tempo: Tempo, scale: number): number {
  const before = tempo.setScaleMicro / MICRO
  tempo.setScaleMicro = Math.round(scale * MICRO)
  return before
}

/** Returns whether it was on before. Off, the rate that was set is in force again. */
export function switchAdaptive(tempo: Tempo, enabled: boolean): boolean {
  const before = tempo.adaptive !== undefined
  if (enabled === before) return before
  tempo.adaptive = enabled ? createAdaptiveRate() : undefined
  tempo.rateMicro = enabled ? rateInReach(tempo.setRateMicro) : tempo.setRateMicro
  return before
}

/** Returns whether it was on before. To be followed by `followUtc`. */
export function switchTimeSync(tempo: Tempo, enabled: boolean): boolean {
  const before = tempo.sync !== undefined
  if (enabled !== before) tempo.sync = enabled ? { quiet: false } : undefined
  return before
}

/** Lets game time follow a plan of some scale, or no more. To be followed by `followUtc`. */
export function changePlan(tempo: Tempo, pace: number | undefined): void {
  const { sync = { quiet: false } } = tempo.plan ?? {}
  tempo.plan = pace === undefined ? undefined : { paceMicro: Math.round(pace * MICRO), sync }
}

/**
 * Puts a scale in force, by the drift of game time where it follows UTC or a plan [s of wall time].
 *
 * @param index  published lattice index
 */
export function followUtc(tempo: Tempo, driftSeconds: number, index: number): void {
  const { plan, sync, setScaleMicro, rateMicro } = tempo
  if (tempo.goal !== undefined) {
    const seconds = Math.min(HURRY_SECONDS, (tempo.goal - index) / QUANTA_PER_SECOND)
    tempo.scaleMicro = Math.round(seconds * rateMicro)
    if (tempo.scaleMicro > setScaleMicro) return
    tempo.goal = undefined
  }
  if (plan) {
    const { paceMicro, sync: towardsPlan } = plan
    tempo.scaleMicro = scaleTowardsPlan(towardsPlan, { paceMicro, rateMicro }, driftSeconds)
    return
  }
  tempo.scaleMicro =
    sync && canFollowUtc(setScaleMicro)
      ? scaleTowardsUtc(sync, setScaleMicro, driftSeconds)
      : setScaleMicro
}

/** Puts a tick rate in force, by the work of a tick. */
export function followLoad(tempo: Tempo, work: TickWork): void {
  const { adaptive, rateMicro, scaleMicro } = tempo
  if (adaptive) tempo.rateMicro = adaptedRate(adaptive, rateMicro, scaleMicro, work)
}
