import { TAU, TURN_PARTS, circlePoint } from '../../math/circle.ts'
import { cross, dot } from '../../math/triple.ts'
import { angleOf } from '../../orbits/angle.ts'
import { type Conic, radiusTowards } from '../../orbits/conic.ts'
import { BURN, BURN_DOUBLES, MEMORY } from '../../state/plan-memory.ts'

/** Where a burn is made. */
export const AT_PERIAPSIS = 1
export const AT_APOAPSIS = 2
/** Where the orbit crosses the wanted plane upward or downward, seen from that plane's normal. */
export const AT_RISE = 3
export const AT_FALL = 4

/** Where the orbit is as far out as a wanted circle, upward or downward. */
export const AT_RADIUS = 5

/** As soon as the hull is turned. */
export const AT_ONCE = 0

/** What it changes: the other apsis; the shape to the wanted one; the plane alone; to a circle. */
export const TO_APSIS = 1
export const TO_ORBIT = 2
export const TO_PLANE = 3
export const TO_CIRCLE = 4

const BURNS_MAX = 3

/** Angle between planes below which a plan does not turn them: 0.01° [rad]. */
const FLAT = 1.7e-4

/** Shares of a turn of the plane that the first burn may do. */
const SHARES = 32

/** Δv that a plan with more burns has to save [m/s]. */
const WORTH = 0.1

const line = new Float64Array(3)
const point = new Float64Array(2)
const best = new Float64Array(BURNS_MAX * BURN_DOUBLES)
const trial = new Float64Array(BURNS_MAX * BURN_DOUBLES)
const found = { cost: 0, burns: 0 }

/**
 * Writes the burns of the cheapest way from an orbit to the wanted one, which its row of a plan
 * names: two at apsides; two at the line of both planes, the turn shared between them; or a turn
 * at that line before the apsides, or after them onto a circle. Returns its impulsive Δv [m/s].
 *
 * @param row  a plan's; its wanted orbit is read, its burns are written
 */
export function planOrbit(row: Float64Array, conic: Conic): number {
  const { normal } = conic
  cross(line, 0, normal, 0, row, MEMORY.normal)
  const sine = Math.sqrt(dot(line, 0, line, 0))
  const angle = angleOf(dot(normal, 0, row, MEMORY.normal), sine)
  found.cost = Infinity
  found.burns = 0
  // The row is part of the ship's digest: nothing of another ship's plan may stand in it.
  trial.fill(0)
  best.fill(0)
  if (angle < FLAT) planApsides(row, conic, 0, 2, 0)
  else {
    planNodes(row, conic, angle, AT_RISE, -1)
    planNodes(row, conic, angle, AT_FALL, 1)
    planTurnFirst(row, conic, angle)
    planTurnLast(row, conic, angle)
  }
  row.set(best, MEMORY.plan)
  row[MEMORY.burns] = found.burns
  return found.cost
}

/** Speed at a distance of an orbit [m/s]; 0 beyond its end. */
function speedAt(gm: number, distance: number, a: number): number {
  return Math.sqrt(Math.max(0, gm * (2 / distance - 1 / a)))
}

function chord(v1: number, v2: number, angle: number): number {
  circlePoint(point, (angle / TAU) * TURN_PARTS)
  return Math.sqrt(Math.max(0, v1 * v1 + v2 * v2 - 2 * v1 * v2 * point[0]))
}

function place(burn: number, where: number, what: number, apsis: number, share: number): void {
  const at = BURN_DOUBLES * burn
  trial[at + BURN.where] = where
  trial[at + BURN.what] = what
  trial[at + BURN.apsis] = apsis
  trial[at + BURN.share] = share
}

function keepCheaper(cost: number, burns: number): void {
  if (cost >= found.cost - WORTH) return
  found.cost = cost
  found.burns = burns
  // What an earlier search left behind the last burn must not get into the state.
  for (let i = 0; i < best.length; i++) best[i] = i < BURN_DOUBLES * burns ? trial[i] : 0
}

/** The two wanted apsides, one after the other. */
function wantedApsis(row: Float64Array, second: boolean): number {
  const e = row[MEMORY.e]
  return row[MEMORY.a] * (second ? 1 + e : 1 - e)
}

/** Burns at two apsides, in a plan of `burns` with others that cost `spent`. */
function planApsides(
  row: Float64Array,
  { gm, a, periapsis, apoapsis }: Conic,
  first: number,
  burns: number,
  spent: number,
): void {
  for (let option = 0; option < 4; option++) {
    const low = option < 2
    const from = low ? periapsis : apoapsis
    if (!(from < Infinity)) continue
    const via = wantedApsis(row, option % 2 === 1)
    const last = wantedApsis(row, option % 2 === 0)
    const middle = 0.5 * (from + via)
    const begin = Math.abs(speedAt(gm, from, middle) - speedAt(gm, from, a))
    const end = Math.abs(speedAt(gm, via, 0.5 * (via + last)) - speedAt(gm, via, middle))
    // A plane that is turned last is not turned before.
    const share = first === 0 && burns === 3 ? 0 : 1
    place(first, low ? AT_PERIAPSIS : AT_APOAPSIS, TO_APSIS, via, share)
    place(first + 1, via > from ? AT_APOAPSIS : AT_PERIAPSIS, TO_ORBIT, last, share)
    keepCheaper(spent + begin + end, burns)
  }
}

/**
 * Two burns at the line of the planes, the first at one end of it.
 *
 * @param sign  of the end that `where` is at, along `line`
 */
function planNodes(
  row: Float64Array,
  conic: Conic,
  angle: number,
  where: number,
  sign: number,
): void {
  const { gm, p, a } = conic
  const from = radiusAtEnd(conic, sign)
  if (!(from > 0)) return
  const speed = speedAt(gm, from, a)
  const forward = Math.sqrt(gm * p) / from
  const climb2 = Math.max(0, speed * speed - forward * forward)
  for (let option = 0; option < 2; option++) {
    const via = wantedApsis(row, option === 1)
    const last = wantedApsis(row, option === 0)
    const begin = speedAt(gm, from, 0.5 * (from + via))
    const arrival = speedAt(gm, via, 0.5 * (from + via))
    const end = speedAt(gm, via, 0.5 * (via + last))
    for (let step = 0; step <= SHARES; step++) {
      const share = step / SHARES
      const level = chord(forward, begin, share * angle)
      const second = chord(arrival, end, (1 - share) * angle)
      place(0, where, TO_APSIS, via, share)
      const opposite = where === AT_RISE ? AT_FALL : AT_RISE
      const apsis = via > from ? AT_APOAPSIS : AT_PERIAPSIS
      place(1, (1 - share) * angle > FLAT ? opposite : apsis, TO_ORBIT, last, 1)
      keepCheaper(Math.sqrt(climb2 + level * level) + second, 2)
    }
  }
}

function radiusAtEnd(conic: Conic, sign: number): number {
  for (let i = 0; i < 3; i++) line[i] *= sign
  const radius = radiusTowards(conic, line, 0)
  for (let i = 0; i < 3; i++) line[i] *= sign
  return radius
}

function planTurnFirst(row: Float64Array, conic: Conic, angle: number): void {
  for (let sign = -1; sign <= 1; sign += 2) {
    const from = radiusAtEnd(conic, sign)
    if (!(from > 0)) continue
    const forward = Math.sqrt(conic.gm * conic.p) / from
    place(0, sign < 0 ? AT_RISE : AT_FALL, TO_PLANE, conic.a, 1)
    planApsides(row, conic, 1, 3, chord(forward, forward, angle))
  }
}

/** Onto a circle, whose speed at the line is known beforehand. */
function planTurnLast(row: Float64Array, conic: Conic, angle: number): void {
  if (row[MEMORY.e] > 0.01) return
  const speed = speedAt(conic.gm, row[MEMORY.a], row[MEMORY.a])
  place(2, AT_RISE, TO_PLANE, row[MEMORY.a], 1)
  planApsides(row, conic, 0, 3, chord(speed, speed, angle))
}
