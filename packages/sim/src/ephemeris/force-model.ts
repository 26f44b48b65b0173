import type { StarSystem } from './ephemeris.ts'

/** Speed of light in vacuum [m/s]. @source SI, exact */
export const SPEED_OF_LIGHT = 299792458

/** x, y, z, their low parts, GM, ax, ay, az of one body. */
const BODY = 10
const GM = 6
const ACCELERATION = 7

/** d = x_j - x_i, 1/r³, 1/r² of one pair i < j, row by row. */
const PAIR = 5

/**
 * Forces between the massive bodies of one system, with scratch of its own.
 *
 * Each body collects its terms in a fixed order: Newton by ascending index of the other body,
 * then the zonal rows in list order. A kernel with one lane per target can give the same bits.
 */
export interface ForceModel {
  readonly count: number
  /** acceleration, one triple per body [m/s²] */
  readonly a: Float64Array
  /** zonal and post-Newtonian torque times G, which feeds the ledger of angular momentum */
  readonly torque: Float64Array
  /** power of the post-Newtonian term times G, which feeds the ledger of energy */
  readonly power: Float64Array
  /**
   * Body records, then pair records. One array, because every further one costs the hot loops
   * a base and a length to keep: 1.4 times slower.
   */
  readonly work: Float64Array
  readonly zonal: readonly ZonalRow[]
}

/** One oblate body with everything it acts on. */
interface ZonalRow {
  /** offset of its body record */
  readonly body: number
  readonly pole: readonly [number, number, number]
  /** 3/2·J2·R² and 5/8·J4·R⁴ */
  readonly second: number
  readonly fourth: number
  /** offsets of pair record and body record of each other body, lower bodies first */
  readonly partners: Int32Array
  /** entries of `partners` that belong to lower bodies, whose d points the other way */
  readonly lower: number
}

/** Prepares the force model of a system. */
export function createForceModel(system: StarSystem): ForceModel {
  const count = system.bodies.length
  const pairs = (count * (count - 1)) / 2
  const work = new Float64Array(BODY * count + PAIR * pairs)
  const zonal: ZonalRow[] = []
  for (const [body, { gm, oblateness }] of system.bodies.entries()) {
    work[BODY * body + GM] = gm
    if (!oblateness) continue
    const { j2, j4 = 0, pole, referenceRadius } = oblateness
    const radius2 = referenceRadius * referenceRadius
    const others = [...system.bodies.keys()].filter((other) => other !== body)
    zonal.push({
      body: BODY * body,
      pole,
      second: 1.5 * j2 * radius2,
      fourth: 0.625 * j4 * radius2 * radius2,
      partners: Int32Array.from(
        others.flatMap((other) => [pairOffset(count, body, other), BODY * other]),
      ),
      lower: 2 * body,
    })
  }
  return {
    count,
    a: new Float64Array(3 * count),
    torque: new Float64Array(3),
    power: new Float64Array(1),
    work,
    zonal,
  }
}

function pairOffset(count: number, i: number, j: number): number {
  const low = Math.min(i, j)
  const before = low * count - (low * (low + 1)) / 2
  return BODY * count + PAIR * (before + Math.max(i, j) - low - 1)
}

/**
 * Writes the accelerations by Newton and the zonal terms into `model.a` and the zonal torque
 * into `model.torque`.
 *
 * @param x     barycentric, one triple per body [m]
 * @param xLow  their low parts, which pair differences subtract too [m]
 */
export function accelerate(model: ForceModel, x: Float64Array, xLow: Float64Array): void {
  const { a, count, torque, work, zonal } = model
  for (let body = 0, at = 0; body < count; body++, at += BODY) {
    for (let axis = 0; axis < 3; axis++) {
      work[at + axis] = x[3 * body + axis]
      work[at + 3 + axis] = xLow[3 * body + axis]
      work[at + ACCELERATION + axis] = 0
    }
  }
  addNewton(work, BODY * count)
  torque.fill(0)
  for (const row of zonal) {
    const { body, lower, partners } = row
    addZonal(work, row, -work[body + GM], 0, lower, torque)
    addZonal(work, row, work[body + GM], lower, partners.length, torque)
  }
  for (let body = 0, at = ACCELERATION; body < count; body++, at += BODY) {
    for (let axis = 0; axis < 3; axis++) a[3 * body + axis] = work[at + axis]
  }
}

function addNewton(work: Float64Array, bodiesEnd: number): void {
  let pair = bodiesEnd
  for (let i = 0; i < bodiesEnd; i += BODY) {
    const xi = work[i]
    const yi = work[i + 1]
    const zi = work[i + 2]
    const xiLow = work[i + 3]
    const yiLow = work[i + 4]
    const ziLow = work[i + 5]
    const own = work[i + GM]
    let ax = work[i + 7]
    let ay = work[i + 8]
    let az = work[i + 9]
    for (let j = i + BODY; j < bodiesEnd; j += BODY, pair += PAIR) {
      const dx = work[j] - xi + (work[j + 3] - xiLow)
      const dy = work[j + 1] - yi + (work[j + 4] - yiLow)
      const dz = work[j + 2] - zi + (work[j + 5] - ziLow)
      const r2 = dx * dx + dy * dy + dz * dz
      const r = Math.sqrt(r2)
      const cube = 1 / (r2 * r)
      work[pair] = dx
      work[pair + 1] = dy
      work[pair + 2] = dz
      work[pair + 3] = cube
      work[pair + 4] = cube * r
      const pull = work[j + GM] * cube
      const push = own * cube
      ax += pull * dx
      ay += pull * dy
      az += pull * dz
      work[j + 7] -= push * dx
      work[j + 8] -= push * dy
      work[j + 9] -= push * dz
    }
    work[i + 7] = ax
    work[i + 8] = ay
    work[i + 9] = az
  }
}

/**
 * Zonal terms of one oblate body on some of the others, and back. Per unit of both GM, with
 * q = (d·p)²/r² and p the pole, the force along the pair's d is
 * f = [3/2·J2·R²/r⁵·(1 - 5q) - 5/8·J4·R⁴/r⁷·(63q² - 42q + 3)]·d + e·p,
 * e = [3·J2·R²/r⁵ + 5/8·J4·R⁴/r⁷·(28q - 12)]·(d·p).
 *
 * @param own     GM of the oblate body, negative for the lower bodies, whose d points towards it
 * @param torque  takes -GM·Σ GM_j·e·d × p
 * @source gradient of the zonal potential, e.g. Montenbruck & Gill, Satellite Orbits, ch. 3.2
 */
function addZonal(
  work: Float64Array,
  row: ZonalRow,
  own: number,
  first: number,
  end: number,
  torque: Float64Array,
): void {
  const { body, fourth, partners, pole, second } = row
  const px = pole[0]
  const py = pole[1]
  const pz = pole[2]
  let fx = 0
  let fy = 0
  let fz = 0
  let tx = 0
  let ty = 0
  let tz = 0
  for (let k = first; k < end; k += 2) {
    const pair = partners[k]
    const other = partners[k + 1]
    const dx = work[pair]
    const dy = work[pair + 1]
    const dz = work[pair + 2]
    const square = work[pair + 4]
    const fifth = work[pair + 3] * square
    const height = dx * px + dy * py + dz * pz
    const q = height * height * square
    let radial = second * fifth * (1 - 5 * q)
    let axial = 2 * (second * fifth)
    if (fourth !== 0) {
      const seventh = fourth * (fifth * square)
      radial -= seventh * ((63 * q - 42) * q + 3)
      axial += seventh * (28 * q - 12)
    }
    const e = axial * height
    const gx = radial * dx + e * px
    const gy = radial * dy + e * py
    const gz = radial * dz + e * pz
    const gm = work[other + GM]
    fx += gm * gx
    fy += gm * gy
    fz += gm * gz
    tx += gm * e * dx
    ty += gm * e * dy
    tz += gm * e * dz
    work[other + 7] -= own * gx
    work[other + 8] -= own * gy
    work[other + 9] -= own * gz
  }
  const sign = own < 0 ? -1 : 1
  work[body + 7] += sign * fx
  work[body + 8] += sign * fy
  work[body + 9] += sign * fz
  const size = sign * own
  torque[0] -= size * (ty * pz - tz * py)
  torque[1] -= size * (tz * px - tx * pz)
  torque[2] -= size * (tx * py - ty * px)
}

/**
 * Adds the root's first post-Newtonian term on all others to `model.a`, the root taking
 * -Σ GM·a/GM_root, its torque to `model.torque`, and writes its power into `model.power`.
 * Reads the geometry and `model.a` that `accelerate` left.
 *
 * @param v         barycentric, one triple per body [m/s]
 * @param halfKick  ½·b·h of the kick, so that the term sees the velocity at its middle [s]
 * @source Schwarzschild term in harmonic coordinates, IERS Conventions (2010), eq. 10.12
 */
export function addPostNewtonian(model: ForceModel, v: Float64Array, halfKick: number): void {
  const { a, count, power, torque, work } = model
  const root = work[GM]
  const strength = root / (SPEED_OF_LIGHT * SPEED_OF_LIGHT)
  const vx = v[0] + halfKick * a[0]
  const vy = v[1] + halfKick * a[1]
  const vz = v[2] + halfKick * a[2]
  let rate = 0
  let fx = 0
  let fy = 0
  let fz = 0
  let tx = 0
  let ty = 0
  let tz = 0
  for (let j = 1, at = 3, pair = BODY * count; j < count; j++, at += 3, pair += PAIR) {
    const dx = work[pair]
    const dy = work[pair + 1]
    const dz = work[pair + 2]
    const ux = v[at] + halfKick * a[at] - vx
    const uy = v[at + 1] + halfKick * a[at + 1] - vy
    const uz = v[at + 2] + halfKick * a[at + 2] - vz
    const scale = strength * work[pair + 3]
    const potential = root * work[pair + 3] * (dx * dx + dy * dy + dz * dz)
    const radial = scale * (4 * potential - (ux * ux + uy * uy + uz * uz))
    const along = scale * 4 * (dx * ux + dy * uy + dz * uz)
    const ax = radial * dx + along * ux
    const ay = radial * dy + along * uy
    const az = radial * dz + along * uz
    a[at] += ax
    a[at + 1] += ay
    a[at + 2] += az
    const gm = work[BODY * j + GM]
    fx += gm * ax
    fy += gm * ay
    fz += gm * az
    rate += gm * (ax * ux + ay * uy + az * uz)
    tx += gm * (dy * az - dz * ay)
    ty += gm * (dz * ax - dx * az)
    tz += gm * (dx * ay - dy * ax)
  }
  a[0] -= fx / root
  a[1] -= fy / root
  a[2] -= fz / root
  power[0] = rate
  torque[0] += tx
  torque[1] += ty
  torque[2] += tz
}
