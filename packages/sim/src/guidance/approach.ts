import { rotate } from '../math/quaternion.ts'
import { dot } from '../math/triple.ts'
import { BEAT_QUANTA } from '../lattice.ts'
import { type Guide, aim, burn, cutEngine, wakeAt, wakeIn } from './guide.ts'
import { PLAN } from '../state/plan.ts'

/** Share of the engine's acceleration that braking is planned with. */
const BRAKE_SHARE = 0.7

/** A ship that brakes closes in by a factor of e in so many seconds at last [s]. */
const SETTLE = 100

/** Time in which a hull turns round [s]. */
const TURN = 100

/** Distance to the target at which a ship comes to rest, and from which it returns there [m]. */
const REST = 40
const RETURN = 60

/** A ship without speed closes in within so many seconds [s]. */
const LEISURE = 900

/** Cosines of the angles off a direction up to which the nose stays, and the engine burns. */
const AIMED = 0.9994
const BURNS = 0.99

const BODY_X = Float64Array.of(1, 0, 0)
const nose = new Float64Array(3)
const way = new Float64Array(3)
const motion = new Float64Array(3)
const wanted = new Float64Array(3)

/** Distance to the target [m]; `relativeSpeed` is the speed to it [m/s]. */
export function targetDistance({ r, target }: Guide): number {
  for (let i = 0; i < 3; i++) way[i] = target.r[i] - r[i]
  return Math.sqrt(dot(way, 0, way, 0))
}

export function relativeSpeed({ v, target }: Guide): number {
  for (let i = 0; i < 3; i++) motion[i] = v[i] - target.v[i]
  return Math.sqrt(dot(motion, 0, motion, 0))
}

/** Distance in which a ship turns round and brakes from a speed [m]. */
export function stoppingDistance({ ship, mass }: Guide, speed: number): number {
  const brake = (BRAKE_SHARE * ship.thrustMax) / mass
  return speed * (speed / (2 * brake) + SETTLE + TURN)
}

/** Whether the nose, as it is, points along a direction. */
export function isAligned({ state, slot }: Guide, direction: Float64Array): boolean {
  rotate(nose, state.ships.attitude, 4 * slot, BODY_X, 0)
  return dot(nose, 0, direction, 0) > BURNS * Math.sqrt(dot(direction, 0, direction, 0))
}

/** Turns the nose along a direction, unless it is already ordered to within 2°. */
export function aimAlong(guide: Guide, direction: Float64Array): void {
  const { row } = guide
  const ordered = Math.sqrt(dot(row, PLAN.nose, row, PLAN.nose))
  const length = ordered * Math.sqrt(dot(direction, 0, direction, 0))
  if (dot(row, PLAN.nose, direction, 0) > AIMED * length) return
  aim(guide, direction[0], direction[1], direction[2])
}

/**
 * One look at a target nearby: closes in as fast as the engine can brake, or slowly from rest,
 * comes to rest 40 m away and stays there.
 */
export function approach(guide: Guide): void {
  const distance = targetDistance(guide)
  const speed = relativeSpeed(guide)
  const a = guide.ship.thrustMax / guide.mass
  const closing = dot(motion, 0, way, 0) / distance
  const interval = speed > 20 ? 2 : 1
  const want = wantedClosing(distance, closing, interval, a)
  for (let i = 0; i < 3; i++) wanted[i] = (want / distance) * way[i] - motion[i]
  const change = Math.sqrt(dot(wanted, 0, wanted, 0))
  cutEngine(guide)
  if (change > 0.03 + 0.04 * Math.abs(want)) {
    aimAlong(guide, wanted)
    if (isAligned(guide, wanted)) burn(guide, change, Math.min(1, change / (a * interval)))
    wakeIn(guide, interval)
    return
  }
  const left = distance - REST - stoppingDistance(guide, closing)
  if (closing > 0.3 && left < 0) {
    for (let i = 0; i < 3; i++) wanted[i] = -motion[i]
    aimAlong(guide, wanted)
  }
  const rest = closing > 0.3 && left > 0 ? (0.3 * left) / closing : 1
  if (distance < 2 * RETURN) wakeAt(guide, nextBeat(guide.n))
  else wakeIn(guide, Math.max(1, Math.min(rest, 20)))
}

function nextBeat(n: number): number {
  return (Math.floor(n / BEAT_QUANTA) + 1) * BEAT_QUANTA
}

/** The closing speed to have after an interval [m/s]. */
function wantedClosing(distance: number, closing: number, interval: number, a: number): number {
  if (distance < RETURN) return 0
  const ahead = Math.max(0, distance - REST - Math.max(0, closing) * interval)
  const brake = BRAKE_SHARE * a
  const fastest = (2 * ahead) / (SETTLE + Math.sqrt(SETTLE * SETTLE + (2 * ahead) / brake))
  return Math.min(fastest, Math.max(closing, (distance - REST) / LEISURE + 0.02))
}
