/** Orders, rules and docks that pilots choose at random. */
import { CATALOG_OBJECTS } from '@orrery/catalog'
import type { Control, Maneuver, RuleRequest } from '@orrery/client'
import type { Chance } from '@orrery/testkit'

const POINTINGS = ['prograde', 'retrograde', 'normal', 'radial_out', 'rest', 'hold'] as const

/** Throttles; most are small, so that fuel lasts. */
const THRUSTS = [0, 0, 0.01, 0.3] as const

/** A station of every new world. */
export const STATION_ID: string =
  CATALOG_OBJECTS.find((object) => object.kind === 'create_station')?.stationId ?? ''

export function randomThrust(random: Chance): number {
  return random.pick(THRUSTS)
}

/** A throttle, and often a direction, a turn or a burn. */
export function randomControl(random: Chance, thrust: number): Control {
  const way = random.below(6)
  if (way === 0) {
    const [w, x, y, z] = [random.share(), random.share(), random.share(), 1]
    return { thrust_level: thrust, attitude: { w, x, y, z } }
  }
  if (way === 1) return { thrust_level: thrust, pointing: random.pick(POINTINGS) }
  if (way === 2) {
    const [x, y, z] = [random.share(), random.share(), random.share()].map((part) => 0.04 * part)
    return { thrust_level: thrust, angular_rate: { x, y, z } }
  }
  if (way === 3 && thrust > 0) {
    const burn = { delta_v: 1 + random.below(100), wheel_unloading: random.oneIn(2) }
    const target_body = random.pick(['Moon', 'Sun'])
    return { thrust_level: thrust, ...burn, pointing: 'target', target_body }
  }
  return { thrust_level: thrust }
}

/** @param nowMs  game time [Unix ms]; plans are drawn, too, where it is known */
export function randomManeuver(random: Chance, nowMs?: number): Maneuver {
  const kind = random.below(nowMs === undefined ? 4 : 5)
  if (kind === 4 && nowMs !== undefined) return randomPlan(random, nowMs)
  if (kind === 0) return { maneuver: random.pick(['circularize', 'escape'] as const) }
  if (kind === 1) return { maneuver: 'kill_rotation' }
  return {
    maneuver: 'attitude',
    pointing: random.pick(['prograde', 'normal', 'hold'] as const),
  }
}

/** Burns, far enough apart for the hull to turn. */
function randomPlan(random: Chance, nowMs: number): Maneuver {
  let atMs = nowMs + 30_000
  const nodes = Array.from({ length: 1 + random.below(3) }, () => {
    atMs += 150_000 + random.below(300_000)
    const [x, y, z] = [random.share(), random.share(), random.share()].map((part) => 40 * part - 20)
    const game_time = new Date(atMs).toISOString()
    return { game_time, frame: 'prograde', vector: { x, y, z } } as const
  })
  return { maneuver: 'plan', nodes }
}

export function randomRule(random: Chance): RuleRequest {
  const condition = random.pick([
    { type: 'apsis', apsis: 'periapsis' },
    { type: 'fuel', below: 0.9 },
    { type: 'altitude', above: 500_000 },
    { type: 'maneuver_end' },
  ] as const)
  const action = random.pick([
    { type: 'event' },
    { type: 'maneuver_start', maneuver: 'circularize' },
  ] as const)
  return { name: 'Rule', condition, action }
}
