import type { StarSystem } from './star-system.ts'

/** Speed of light in vacuum [m/s]. @source SI, exact */
export const SPEED_OF_LIGHT = 299792458

/** x, y, z, their low parts, GM, ax, ay, az, and the sum that makes the torque, of one body. */
const BODY = 13
const GM = 6
const ACCELERATION = 7
const TWIST = 10

/**
 * Forces between the massive bodies of one system, with scratch of its own.
 *
 * Bodies act in the order of their places: each on every later one and back, by Newton and by
 * the zonal terms of both. What comes back to the one that acts is summed in two lanes, partners
 * at even places apart from those at odd ones, and the lanes are added last. So a twin can take
 * two neighbouring partners at once and give the same bits.
 */
export interface ForceModel {
  readonly count: number
  readonly places: Places
  /** acceleration, one triple per body [m/s²] */
  readonly a: Float64Array
  /** zonal and post-Newtonian torque times G, which feeds the ledger of angular momentum */
  readonly torque: Float64Array
  /** power of the post-Newtonian term times G, which feeds the ledger of energy */
  readonly power: Float64Array
  /** body records by place; one array, because every further one costs the hot loops time */
  readonly work: Float64Array
  /** sums of the body that acts, both lanes of each */
  readonly sums: Float64Array
}

/** The order in which bodies act: the root, the other oblate ones, the spheres. */
export interface Places {
  /** index of the body at each place */
  readonly bodies: Int32Array
  /** zonal terms of the places before the first sphere's; all zero if the root is a sphere */
  readonly zonal: readonly ZonalField[]
}

/** Zonal terms of one body. */
export interface ZonalField {
  readonly pole: readonly [number, number, number]
  /** 3·J2·R² [m²] */
  readonly second: number
  /** 5/8·J4·R⁴ [m⁴] */
  readonly fourth: number
}

const SPHERE: ZonalField = { pole: [0, 0, 0], second: 0, fourth: 0 }

/** Prepares the force model of a system. */
export function createForceModel(system: StarSystem): ForceModel {
  const count = system.bodies.length
  const places = actingPlaces(system)
  const work = new Float64Array(BODY * count)
  for (const [place, body] of places.bodies.entries()) {
    work[BODY * place + GM] = system.bodies[body].gm
  }
  return {
    count,
    places,
    a: new Float64Array(3 * count),
    torque: new Float64Array(3),
    power: new Float64Array(1),
    work,
    sums: new Float64Array(14),
  }
}

/** The places of a system's bodies. */
export function actingPlaces({ bodies }: StarSystem): Places {
  const all = [...bodies.keys()]
  const first = all.filter((body) => body === 0 || bodies[body].oblateness)
  const last = all.filter((body) => !first.includes(body))
  return {
    bodies: Int32Array.from([...first, ...last]),
    zonal: first.map((body) => {
      const { oblateness } = bodies[body]
      if (!oblateness) return SPHERE
      const { j2, j4 = 0, pole, referenceRadius } = oblateness
      const radius2 = referenceRadius * referenceRadius
      return { pole, second: 3 * j2 * radius2, fourth: 0.625 * j4 * radius2 * radius2 }
    }),
  }
}

/**
 * Writes the accelerations by Newton and the zonal terms into `model.a` and the zonal torque
 * into `model.torque`.
 *
 * @param x     barycentric, one triple per body [m]
 * @param xLow  their low parts, which pair differences subtract too [m]
 */
export function accelerate(model: ForceModel, x: Float64Array, xLow: Float64Array): void {
  const { a, count, places, torque, work } = model
  for (let place = 0, at = 0; place < count; place++, at += BODY) {
    const body = 3 * places.bodies[place]
    for (let axis = 0; axis < 3; axis++) {
      work[at + axis] = x[body + axis]
      work[at + 3 + axis] = xLow[body + axis]
      work[at + ACCELERATION + axis] = 0
      work[at + TWIST + axis] = 0
    }
  }
  torque.fill(0)
  for (let place = 0; place < count; place++) {
    if (place < places.zonal.length) actOblate(model, place)
    else actSpherical(model, place)
  }
  for (let place = 0, at = ACCELERATION; place < count; place++, at += BODY) {
    const body = 3 * places.bodies[place]
    for (let axis = 0; axis < 3; axis++) a[body + axis] = work[at + axis]
  }
}

/** A sphere and all later ones, which are spheres too. */
function actSpherical(model: ForceModel, place: number): void {
  const { count, sums, work } = model
  const at = BODY * place
  const own = work[at + GM]
  const x = work[at]
  const y = work[at + 1]
  const z = work[at + 2]
  const xLow = work[at + 3]
  const yLow = work[at + 4]
  const zLow = work[at + 5]
  for (let lane = 0; lane < 2; lane++) {
    let ax = 0
    let ay = 0
    let az = 0
    for (let j = BODY * laterPlace(place, lane); j < BODY * count; j += 2 * BODY) {
      const gm = work[j + GM]
      const dx = work[j] - x + (work[j + 3] - xLow)
      const dy = work[j + 1] - y + (work[j + 4] - yLow)
      const dz = work[j + 2] - z + (work[j + 5] - zLow)
      const square = 1 / (dx * dx + dy * dy + dz * dz)
      const cube = square * Math.sqrt(square)
      const fx = cube * dx
      const fy = cube * dy
      const fz = cube * dz
      ax += gm * fx
      ay += gm * fy
      az += gm * fz
      work[j + 7] -= own * fx
      work[j + 8] -= own * fy
      work[j + 9] -= own * fz
    }
    sums[lane] = ax
    sums[2 + lane] = ay
    sums[4 + lane] = az
  }
  for (let axis = 0; axis < 3; axis++) {
    work[at + ACCELERATION + axis] += sums[2 * axis] + sums[2 * axis + 1]
  }
}

/** The next place of a lane: the even lane is 0. */
function laterPlace(place: number, lane: number): number {
  return (place + lane) % 2 === 0 ? place + 2 : place + 1
}

function actOblate(model: ForceModel, place: number): void {
  const { places, sums, torque, work } = model
  const [px, py, pz] = places.zonal[place].pole
  const at = BODY * place
  for (let lane = 0; lane < 2; lane++) actOblateLane(model, place, lane)
  for (let axis = 0; axis < 3; axis++) {
    work[at + ACCELERATION + axis] += sums[2 * axis] + sums[2 * axis + 1]
    work[at + TWIST + axis] += sums[6 + 2 * axis] + sums[7 + 2 * axis]
  }
  const own = work[at + GM]
  const tx = work[at + TWIST]
  const ty = work[at + TWIST + 1]
  const tz = work[at + TWIST + 2]
  torque[0] -= own * (ty * pz - tz * py)
  torque[1] -= own * (tz * px - tx * pz)
  torque[2] -= own * (tx * py - ty * px)
}

/**
 * An oblate body and the later ones of one lane. Per unit of both GM the force along d, which
 * points from it to the other, is (1/r³ + Σ radial)·d + Σ axial·p, the sums over those of the two
 * that are oblate, with p the pole, q = (d·p)²/r² and axial = slope·(d·p).
 *
 * @source gradient of the zonal potential, e.g. Montenbruck & Gill, Satellite Orbits, ch. 3.2
 */
function actOblateLane(model: ForceModel, place: number, lane: number): void {
  const { count, places, sums, work } = model
  const { zonal } = places
  const field = zonal[place]
  const { pole } = field
  const at = BODY * place
  const own = work[at + GM]
  const x = work[at]
  const y = work[at + 1]
  const z = work[at + 2]
  const xLow = work[at + 3]
  const yLow = work[at + 4]
  const zLow = work[at + 5]
  let ax = 0
  let ay = 0
  let az = 0
  let tx = 0
  let ty = 0
  let tz = 0
  for (let other = laterPlace(place, lane); other < count; other += 2) {
    const j = BODY * other
    const gm = work[j + GM]
    const dx = work[j] - x + (work[j + 3] - xLow)
    const dy = work[j + 1] - y + (work[j + 4] - yLow)
    const dz = work[j + 2] - z + (work[j + 5] - zLow)
    const square = 1 / (dx * dx + dy * dy + dz * dz)
    const cube = square * Math.sqrt(square)
    const fifth = cube * square
    const height = dx * pole[0] + dy * pole[1] + dz * pole[2]
    const q = height * height * square
    const axial = slope(field, square, fifth, q) * height
    let along = cube + radial(field, square, fifth, q)
    let fx = axial * pole[0]
    let fy = axial * pole[1]
    let fz = axial * pole[2]
    if (other < zonal.length) {
      const theirs = zonal[other]
      const p = theirs.pole
      const height = dx * p[0] + dy * p[1] + dz * p[2]
      const q = height * height * square
      const axial = slope(theirs, square, fifth, q) * height
      along += radial(theirs, square, fifth, q)
      fx += axial * p[0]
      fy += axial * p[1]
      fz += axial * p[2]
      addTo(work, j + TWIST, own * axial, dx, dy, dz)
    }
    fx += along * dx
    fy += along * dy
    fz += along * dz
    ax += gm * fx
    ay += gm * fy
    az += gm * fz
    const twist = gm * axial
    tx += twist * dx
    ty += twist * dy
    tz += twist * dz
    addTo(work, j + ACCELERATION, -own, fx, fy, fz)
  }
  sums[lane] = ax
  sums[2 + lane] = ay
  sums[4 + lane] = az
  sums[6 + lane] = tx
  sums[8 + lane] = ty
  sums[10 + lane] = tz
}

function addTo(
  out: Float64Array,
  at: number,
  scale: number,
  x: number,
  y: number,
  z: number,
): void {
  out[at] += scale * x
  out[at + 1] += scale * y
  out[at + 2] += scale * z
}

/** 3·J2·R²/r⁵·(1/2 - 5/2·q) - 5/8·J4·R⁴/r⁷·(63q² - 42q + 3), from 1/r² and 1/r⁵. */
function radial(field: ZonalField, square: number, fifth: number, q: number): number {
  const { fourth, second } = field
  const part = second * fifth * (0.5 - 2.5 * q)
  return fourth === 0 ? part : part - fourth * (fifth * square) * ((63 * q - 42) * q + 3)
}

/** 3·J2·R²/r⁵ + 5/8·J4·R⁴/r⁷·(28q - 12), from 1/r² and 1/r⁵. */
function slope(field: ZonalField, square: number, fifth: number, q: number): number {
  const { fourth, second } = field
  const part = second * fifth
  return fourth === 0 ? part : part + fourth * (fifth * square) * (28 * q - 12)
}

/**
 * Adds the root's first post-Newtonian term on all others to `model.a`, the root taking
 * -Σ GM·a/GM_root, its torque to `model.torque`, and writes its power into `model.power`.
 * Reads the positions and `model.a` that `accelerate` left.
 *
 * @param v         barycentric, one triple per body [m/s]
 * @param halfKick  ½·b·h of the kick, so that the term has the velocity at its middle [s]
 * @source Schwarzschild term in harmonic coordinates, IERS Conventions (2010), eq. 10.12
 */
export function addPostNewtonian(model: ForceModel, v: Float64Array, halfKick: number): void {
  const { a, power, sums, torque, work } = model
  for (let lane = 0; lane < 2; lane++) addPostNewtonianLane(model, v, halfKick, lane)
  const x = sums[0] + sums[1]
  const y = sums[2] + sums[3]
  const z = sums[4] + sums[5]
  a[0] -= x / work[GM]
  a[1] -= y / work[GM]
  a[2] -= z / work[GM]
  for (let axis = 0; axis < 3; axis++) torque[axis] += sums[6 + 2 * axis] + sums[7 + 2 * axis]
  // Work is done at the velocity of the kick's middle, to which the term itself adds half.
  power[0] = sums[12] + sums[13] + (halfKick * (x * x + y * y + z * z)) / work[GM]
}

function addPostNewtonianLane(
  model: ForceModel,
  v: Float64Array,
  halfKick: number,
  lane: number,
): void {
  const { a, count, places, sums, work } = model
  const root = work[GM]
  const strength = root / (SPEED_OF_LIGHT * SPEED_OF_LIGHT)
  const vx = v[0] + halfKick * a[0]
  const vy = v[1] + halfKick * a[1]
  const vz = v[2] + halfKick * a[2]
  let rate = 0
  let x = 0
  let y = 0
  let z = 0
  let tx = 0
  let ty = 0
  let tz = 0
  for (let place = laterPlace(0, lane); place < count; place += 2) {
    const j = BODY * place
    const at = 3 * places.bodies[place]
    const dx = work[j] - work[0] + (work[j + 3] - work[3])
    const dy = work[j + 1] - work[1] + (work[j + 4] - work[4])
    const dz = work[j + 2] - work[2] + (work[j + 5] - work[5])
    const square = 1 / (dx * dx + dy * dy + dz * dz)
    const inverse = Math.sqrt(square)
    const ux = v[at] + halfKick * a[at] - vx
    const uy = v[at + 1] + halfKick * a[at + 1] - vy
    const uz = v[at + 2] + halfKick * a[at + 2] - vz
    const scale = strength * (square * inverse)
    const radial = scale * (4 * (root * inverse) - (ux * ux + uy * uy + uz * uz))
    const along = scale * 4 * (dx * ux + dy * uy + dz * uz)
    const ax = radial * dx + along * ux
    const ay = radial * dy + along * uy
    const az = radial * dz + along * uz
    a[at] += ax
    a[at + 1] += ay
    a[at + 2] += az
    const gm = work[j + GM]
    const fx = gm * ax
    const fy = gm * ay
    const fz = gm * az
    x += fx
    y += fy
    z += fz
    tx += dy * fz - dz * fy
    ty += dz * fx - dx * fz
    tz += dx * fy - dy * fx
    const wx = ux + halfKick * ax
    const wy = uy + halfKick * ay
    const wz = uz + halfKick * az
    rate += fx * wx + fy * wy + fz * wz
  }
  sums[lane] = x
  sums[2 + lane] = y
  sums[4 + lane] = z
  sums[6 + lane] = tx
  sums[8 + lane] = ty
  sums[10 + lane] = tz
  sums[12 + lane] = rate
}
