/**
 * The twin of `massiveKernel` in src/ephemeris/massive-step.ts, specified by the force model
 * beside it: the same bits. AssemblyScript, compiled by build.ts into massive.wasm, which works
 * in a memory of its own; the loader fills it at the addresses that are exported.
 *
 * Every quantity is a plane of one value per body, in the order of `actingPlaces`. The two lanes
 * of a vector are two neighbouring partners, a block. The row of an even body begins with the
 * block that it stands in itself. There, and where the last block has no second body, a lane
 * holds a partner so far away that it gives zeros, which no sum notices.
 *
 * The order of work changes no sum. First all differences, with root and quotient a few blocks
 * behind, so that the divider never waits; then row by row what the zonal terms depend on before
 * what they give, so that chains of dependent operations stay short. Compilers have fifteen
 * vectors' room in registers: what a loop needs once per block it loads there (18 % slower
 * otherwise), and constants stand in memory, as making one takes three instructions (7 %).
 */

/** A plane: 64 bodies, and room that keeps planes apart in the cache [B]. */
const PLANE: usize = 528

/** Positions, their low parts, velocities, theirs, accelerations; x, y and z of each. */
export const X: usize = 128
const Y: usize = X + PLANE
const Z: usize = Y + PLANE
export const X_LOW: usize = Z + PLANE
const Y_LOW: usize = X_LOW + PLANE
const Z_LOW: usize = Y_LOW + PLANE
export const V: usize = Z_LOW + PLANE
const VY: usize = V + PLANE
const VZ: usize = VY + PLANE
export const V_LOW: usize = VZ + PLANE
export const A: usize = V_LOW + 3 * PLANE
const AY: usize = A + PLANE
const AZ: usize = AY + PLANE
export const GM: usize = AZ + PLANE
/** Zonal terms, zero for spheres: pole, 3·J2·R², 5/8·J4·R⁴. */
export const POLE: usize = GM + PLANE
const POLE_Y: usize = POLE + PLANE
const POLE_Z: usize = POLE_Y + PLANE
export const SECOND: usize = POLE_Z + PLANE
export const FOURTH: usize = SECOND + PLANE
/** Sums that make the torques of oblate bodies. */
const TWIST: usize = FOURTH + PLANE
const TWIST_Y: usize = TWIST + PLANE
const TWIST_Z: usize = TWIST_Y + PLANE
/** Ledgers: energy, three of angular momentum, each high and low part. */
export const LEDGERS: usize = TWIST_Z + PLANE
const TORQUE: usize = LEDGERS + 64
const POWER: usize = TORQUE + 24
/** Coefficients of the method, up to 16 stages. */
export const DRIFTS: usize = POWER + 8
export const KICKS: usize = DRIFTS + 128
/** Per block of one row: force along d, along the body's pole, along the partners' poles. */
const SHAPES: usize = KICKS + 128
const SHAPE: usize = 48
/** Per block, row by row: dx, dy, dz, r² and later 1/r², 1/r³. */
const PAIR: usize = 80
const LAG: usize = 3 * PAIR
const PAIRS: usize = SHAPES + 33 * SHAPE + LAG

const NUMBERS: usize = memory.data<f64>([1, 0.5, 2.5, 63, 42, 3, 28, 12])
const FAR: f64 = 1e30
const LIGHT: f64 = 299792458

/** One step of `stages` kicks and drifts. `oblate` places come before the spheres'. */
export function step(count: usize, oblate: usize, stages: usize, h: f64): void {
  for (let stage: usize = 0; stage < stages << 3; stage += 8) {
    const kick = load<f64>(stage, KICKS) * h
    if (kick != 0) {
      accelerate(count, oblate, 0.5 * kick)
      addKick(count, kick)
      for (let axis: usize = 0; axis < 3; axis++) {
        book(LEDGERS + 16 + (axis << 4), kick * load<f64>(axis << 3, TORQUE))
      }
      book(LEDGERS, kick * load<f64>(POWER))
    }
    const drift = load<f64>(stage, DRIFTS) * h
    if (drift != 0) addDrift(count, drift)
  }
}

/** All accelerations, the post-Newtonian ones at v + halfKick · a. */
export function accelerate(count: usize, oblate: usize, halfKick: f64): void {
  const end = blocksEnd(count)
  const core = blocksEnd(oblate)
  const zero = f64x2.splat(0)
  for (let b: usize = 0; b < end; b += 16) {
    v128.store(b, zero, A)
    v128.store(b, zero, AY)
    v128.store(b, zero, AZ)
    v128.store(b, zero, TWIST)
    v128.store(b, zero, TWIST_Y)
    v128.store(b, zero, TWIST_Z)
  }
  for (let axis: usize = 0; axis < 24; axis += 8) store<f64>(axis, 0, TORQUE)
  if (count & 1) store<f64>(count << 3, FAR, X)
  writePairs(count, end)
  let pair = PAIRS
  let i: usize = 0
  for (; i < oblate << 3; i += 8) {
    writeShapes(i, core, end, pair)
    pair = actOblate(i, core, end, pair)
  }
  for (; i < count << 3; i += 8) {
    if ((i & 8) != 0 && i + 8 < count << 3) {
      pair = actTwice(i, end, pair)
      i += 8
    } else pair = actSpherical(i, end, pair)
  }
  addPostNewtonian(end, halfKick)
}

/** Bytes of a plane that the blocks of so many bodies take. */
@inline
function blocksEnd(count: usize): usize {
  return ((count + 1) >> 1) << 4
}

/** The first block with a later body; i = 8 · place. */
@inline
function firstBlock(i: usize): usize {
  return ((i + 8) >> 4) << 4
}

function addKick(count: usize, kick: f64): void {
  const scale = f64x2.splat(kick)
  const end = blocksEnd(count)
  for (let axis: usize = 0; axis < 3 * PLANE; axis += PLANE) {
    for (let b = axis; b < axis + end; b += 16) {
      const before = v128.load(b, V)
      const change = f64x2.add(f64x2.mul(scale, v128.load(b, A)), v128.load(b, V_LOW))
      const after = f64x2.add(before, change)
      v128.store(b, f64x2.sub(change, f64x2.sub(after, before)), V_LOW)
      v128.store(b, after, V)
    }
  }
}

function addDrift(count: usize, drift: f64): void {
  const scale = f64x2.splat(drift)
  const end = blocksEnd(count)
  for (let axis: usize = 0; axis < 3 * PLANE; axis += PLANE) {
    for (let b = axis; b < axis + end; b += 16) {
      const before = v128.load(b, X)
      const rest = f64x2.add(f64x2.mul(scale, v128.load(b, V_LOW)), v128.load(b, X_LOW))
      const change = f64x2.add(f64x2.mul(scale, v128.load(b, V)), rest)
      const after = f64x2.add(before, change)
      v128.store(b, f64x2.sub(change, f64x2.sub(after, before)), X_LOW)
      v128.store(b, after, X)
    }
  }
}

function book(at: usize, value: f64): void {
  const high = load<f64>(at)
  const total = high + value
  const part = total - high
  const error = high - (total - part) + (value - part) + load<f64>(at, 8)
  const normal = total + error
  store<f64>(at, normal)
  store<f64>(at, error - (normal - total), 8)
}

function writePairs(count: usize, end: usize): void {
  const one = v128.load64_splat(NUMBERS)
  const zero = f64x2.splat(0)
  let pair = PAIRS
  for (let i: usize = 0; i < count << 3; i += 8) {
    const x = v128.load64_splat(i, X)
    const y = v128.load64_splat(i, Y)
    const z = v128.load64_splat(i, Z)
    const xLow = v128.load64_splat(i, X_LOW)
    const yLow = v128.load64_splat(i, Y_LOW)
    const zLow = v128.load64_splat(i, Z_LOW)
    // An even body stands in its own first block.
    let far = f64x2.replace_lane(zero, 0, i & 8 ? 0 : FAR * FAR)
    for (let b = firstBlock(i); b < end; b += 16) {
      const dx = f64x2.add(f64x2.sub(v128.load(b, X), x), f64x2.sub(v128.load(b, X_LOW), xLow))
      const dy = f64x2.add(f64x2.sub(v128.load(b, Y), y), f64x2.sub(v128.load(b, Y_LOW), yLow))
      const dz = f64x2.add(f64x2.sub(v128.load(b, Z), z), f64x2.sub(v128.load(b, Z_LOW), zLow))
      const r2 = dot(dx, dy, dz, dx, dy, dz)
      v128.store(pair, dx)
      v128.store(pair, dy, 16)
      v128.store(pair, dz, 32)
      v128.store(pair, f64x2.add(r2, far), 48)
      far = zero
      invert(pair - LAG, one)
      pair += PAIR
    }
  }
  for (let rest = pair - LAG; rest < pair; rest += PAIR) invert(rest, one)
}

@inline
function invert(pair: usize, one: v128): void {
  const square = f64x2.div(one, v128.load(pair, 48))
  v128.store(pair, square, 48)
  v128.store(pair, f64x2.mul(square, f64x2.sqrt(square)), 64)
}

@inline
function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz))
}

@inline
function lanes(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

/** Adds both lanes of a sum to what stands at an address. */
@inline
function collect(at: usize, sum: v128): void {
  store<f64>(at, load<f64>(at) + lanes(sum))
}

function actSpherical(i: usize, end: usize, pair: usize): usize {
  const own = v128.load64_splat(i, GM)
  let x = f64x2.splat(0)
  let y = f64x2.splat(0)
  let z = f64x2.splat(0)
  for (let b = firstBlock(i); b < end; b += 16) {
    const gm = v128.load(b, GM)
    const cube = v128.load(pair, 64)
    const fx = f64x2.mul(cube, v128.load(pair))
    const fy = f64x2.mul(cube, v128.load(pair, 16))
    const fz = f64x2.mul(cube, v128.load(pair, 32))
    x = f64x2.add(x, f64x2.mul(gm, fx))
    y = f64x2.add(y, f64x2.mul(gm, fy))
    z = f64x2.add(z, f64x2.mul(gm, fz))
    v128.store(b, f64x2.sub(v128.load(b, A), f64x2.mul(own, fx)), A)
    v128.store(b, f64x2.sub(v128.load(b, AY), f64x2.mul(own, fy)), AY)
    v128.store(b, f64x2.sub(v128.load(b, AZ), f64x2.mul(own, fz)), AZ)
    pair += PAIR
  }
  collect(i + A, x)
  collect(i + AY, y)
  collect(i + AZ, z)
  return pair
}

/** An odd sphere and the next, whose rows are equally long: their partners are read once. */
function actTwice(i: usize, end: usize, pair: usize): usize {
  const own = v128.load64_splat(i, GM)
  const next = v128.load64_splat(i, GM + 8)
  const row = ((end - firstBlock(i)) >> 4) * PAIR
  let x = f64x2.splat(0)
  let y = f64x2.splat(0)
  let z = f64x2.splat(0)
  let nextX = f64x2.splat(0)
  let nextY = f64x2.splat(0)
  let nextZ = f64x2.splat(0)
  for (let b = firstBlock(i); b < end; b += 16) {
    const gm = v128.load(b, GM)
    const cube = v128.load(pair, 64)
    const nextCube = v128.load(pair + row, 64)
    const fx = f64x2.mul(cube, v128.load(pair))
    const gx = f64x2.mul(nextCube, v128.load(pair + row))
    x = f64x2.add(x, f64x2.mul(gm, fx))
    nextX = f64x2.add(nextX, f64x2.mul(gm, gx))
    const ax = f64x2.sub(v128.load(b, A), f64x2.mul(own, fx))
    v128.store(b, f64x2.sub(ax, f64x2.mul(next, gx)), A)
    const fy = f64x2.mul(cube, v128.load(pair, 16))
    const gy = f64x2.mul(nextCube, v128.load(pair + row, 16))
    y = f64x2.add(y, f64x2.mul(gm, fy))
    nextY = f64x2.add(nextY, f64x2.mul(gm, gy))
    const ay = f64x2.sub(v128.load(b, AY), f64x2.mul(own, fy))
    v128.store(b, f64x2.sub(ay, f64x2.mul(next, gy)), AY)
    const fz = f64x2.mul(cube, v128.load(pair, 32))
    const gz = f64x2.mul(nextCube, v128.load(pair + row, 32))
    z = f64x2.add(z, f64x2.mul(gm, fz))
    nextZ = f64x2.add(nextZ, f64x2.mul(gm, gz))
    const az = f64x2.sub(v128.load(b, AZ), f64x2.mul(own, fz))
    v128.store(b, f64x2.sub(az, f64x2.mul(next, gz)), AZ)
    pair += PAIR
  }
  collect(i + A, x)
  collect(i + AY, y)
  collect(i + AZ, z)
  collect(i + 8 + A, nextX)
  collect(i + 8 + AY, nextY)
  collect(i + 8 + AZ, nextZ)
  return pair + row
}

/** The shape of the force between an oblate body and all later ones; `core` has oblate ones. */
function writeShapes(i: usize, core: usize, end: usize, pair: usize): void {
  const px = v128.load64_splat(i, POLE)
  const py = v128.load64_splat(i, POLE_Y)
  const pz = v128.load64_splat(i, POLE_Z)
  const second = v128.load64_splat(i, SECOND)
  const fourth = v128.load64_splat(i, FOURTH)
  const half = v128.load64_splat(NUMBERS, 8)
  const fiveHalves = v128.load64_splat(NUMBERS, 16)
  let shape = SHAPES
  for (let b = firstBlock(i); b < end; b += 16) {
    const dx = v128.load(pair)
    const dy = v128.load(pair, 16)
    const dz = v128.load(pair, 32)
    const square = v128.load(pair, 48)
    const cube = v128.load(pair, 64)
    const fifth = f64x2.mul(cube, square)
    const height = dot(dx, dy, dz, px, py, pz)
    const q = f64x2.mul(f64x2.mul(height, height), square)
    const level = f64x2.mul(second, fifth)
    const radial = f64x2.mul(level, f64x2.sub(half, f64x2.mul(fiveHalves, q)))
    v128.store(shape, f64x2.add(cube, lessFourth(radial, fourth, fifth, square, q)))
    v128.store(shape, f64x2.mul(plusFourth(level, fourth, fifth, square, q), height), 16)
    if (b < core) {
      const height = dot(dx, dy, dz, v128.load(b, POLE), v128.load(b, POLE_Y), v128.load(b, POLE_Z))
      const q = f64x2.mul(f64x2.mul(height, height), square)
      const level = f64x2.mul(v128.load(b, SECOND), fifth)
      const fourth = v128.load(b, FOURTH)
      const radial = f64x2.mul(level, f64x2.sub(half, f64x2.mul(fiveHalves, q)))
      const along = f64x2.add(v128.load(shape), lessFourth(radial, fourth, fifth, square, q))
      v128.store(shape, along)
      v128.store(shape, f64x2.mul(plusFourth(level, fourth, fifth, square, q), height), 32)
    }
    pair += PAIR
    shape += SHAPE
  }
}

/** radial - 5/8·J4·R⁴/r⁷·(63q² - 42q + 3); few bodies have J4. */
@inline
function lessFourth(radial: v128, fourth: v128, fifth: v128, square: v128, q: v128): v128 {
  if (!v128.any_true(fourth)) return radial
  const seventh = f64x2.mul(fourth, f64x2.mul(fifth, square))
  const first = f64x2.mul(v128.load64_splat(NUMBERS, 24), q)
  const inner = f64x2.mul(f64x2.sub(first, v128.load64_splat(NUMBERS, 32)), q)
  return f64x2.sub(radial, f64x2.mul(seventh, f64x2.add(inner, v128.load64_splat(NUMBERS, 40))))
}

/** level + 5/8·J4·R⁴/r⁷·(28q - 12) */
@inline
function plusFourth(level: v128, fourth: v128, fifth: v128, square: v128, q: v128): v128 {
  if (!v128.any_true(fourth)) return level
  const seventh = f64x2.mul(fourth, f64x2.mul(fifth, square))
  const first = f64x2.mul(v128.load64_splat(NUMBERS, 48), q)
  return f64x2.add(level, f64x2.mul(seventh, f64x2.sub(first, v128.load64_splat(NUMBERS, 56))))
}

function actOblate(i: usize, core: usize, end: usize, pair: usize): usize {
  let x = f64x2.splat(0)
  let y = f64x2.splat(0)
  let z = f64x2.splat(0)
  let tx = f64x2.splat(0)
  let ty = f64x2.splat(0)
  let tz = f64x2.splat(0)
  let shape = SHAPES
  let b = firstBlock(i)
  for (; b < core; b += 16) {
    const own = v128.load64_splat(i, GM)
    const gm = v128.load(b, GM)
    const along = v128.load(shape)
    const axial = v128.load(shape, 16)
    const theirs = v128.load(shape, 32)
    const twist = f64x2.mul(gm, axial)
    const back = f64x2.mul(own, theirs)
    const dx = v128.load(pair)
    const ex = f64x2.mul(axial, v128.load64_splat(i, POLE))
    const gx = f64x2.add(ex, f64x2.mul(theirs, v128.load(b, POLE)))
    const fx = f64x2.add(gx, f64x2.mul(along, dx))
    x = f64x2.add(x, f64x2.mul(gm, fx))
    tx = f64x2.add(tx, f64x2.mul(twist, dx))
    v128.store(b, f64x2.sub(v128.load(b, A), f64x2.mul(own, fx)), A)
    v128.store(b, f64x2.add(v128.load(b, TWIST), f64x2.mul(back, dx)), TWIST)
    const dy = v128.load(pair, 16)
    const ey = f64x2.mul(axial, v128.load64_splat(i, POLE_Y))
    const gy = f64x2.add(ey, f64x2.mul(theirs, v128.load(b, POLE_Y)))
    const fy = f64x2.add(gy, f64x2.mul(along, dy))
    y = f64x2.add(y, f64x2.mul(gm, fy))
    ty = f64x2.add(ty, f64x2.mul(twist, dy))
    v128.store(b, f64x2.sub(v128.load(b, AY), f64x2.mul(own, fy)), AY)
    v128.store(b, f64x2.add(v128.load(b, TWIST_Y), f64x2.mul(back, dy)), TWIST_Y)
    const dz = v128.load(pair, 32)
    const ez = f64x2.mul(axial, v128.load64_splat(i, POLE_Z))
    const gz = f64x2.add(ez, f64x2.mul(theirs, v128.load(b, POLE_Z)))
    const fz = f64x2.add(gz, f64x2.mul(along, dz))
    z = f64x2.add(z, f64x2.mul(gm, fz))
    tz = f64x2.add(tz, f64x2.mul(twist, dz))
    v128.store(b, f64x2.sub(v128.load(b, AZ), f64x2.mul(own, fz)), AZ)
    v128.store(b, f64x2.add(v128.load(b, TWIST_Z), f64x2.mul(back, dz)), TWIST_Z)
    pair += PAIR
    shape += SHAPE
  }
  const own = v128.load64_splat(i, GM)
  for (; b < end; b += 16) {
    const gm = v128.load(b, GM)
    const along = v128.load(shape)
    const axial = v128.load(shape, 16)
    const twist = f64x2.mul(gm, axial)
    const dx = v128.load(pair)
    const fx = f64x2.add(f64x2.mul(axial, v128.load64_splat(i, POLE)), f64x2.mul(along, dx))
    x = f64x2.add(x, f64x2.mul(gm, fx))
    tx = f64x2.add(tx, f64x2.mul(twist, dx))
    v128.store(b, f64x2.sub(v128.load(b, A), f64x2.mul(own, fx)), A)
    const dy = v128.load(pair, 16)
    const fy = f64x2.add(f64x2.mul(axial, v128.load64_splat(i, POLE_Y)), f64x2.mul(along, dy))
    y = f64x2.add(y, f64x2.mul(gm, fy))
    ty = f64x2.add(ty, f64x2.mul(twist, dy))
    v128.store(b, f64x2.sub(v128.load(b, AY), f64x2.mul(own, fy)), AY)
    const dz = v128.load(pair, 32)
    const fz = f64x2.add(f64x2.mul(axial, v128.load64_splat(i, POLE_Z)), f64x2.mul(along, dz))
    z = f64x2.add(z, f64x2.mul(gm, fz))
    tz = f64x2.add(tz, f64x2.mul(twist, dz))
    v128.store(b, f64x2.sub(v128.load(b, AZ), f64x2.mul(own, fz)), AZ)
    pair += PAIR
    shape += SHAPE
  }
  collect(i + A, x)
  collect(i + AY, y)
  collect(i + AZ, z)
  collect(i + TWIST, tx)
  collect(i + TWIST_Y, ty)
  collect(i + TWIST_Z, tz)
  addTorque(TORQUE, i, i + TWIST_Y, i + POLE_Z, i + TWIST_Z, i + POLE_Y)
  addTorque(TORQUE + 8, i, i + TWIST_Z, i + POLE, i + TWIST, i + POLE_Z)
  addTorque(TORQUE + 16, i, i + TWIST, i + POLE_Y, i + TWIST_Y, i + POLE)
  return pair
}

/** One component of the torque, -GM·(twist × pole), from the addresses of both factors. */
function addTorque(at: usize, i: usize, a: usize, b: usize, c: usize, d: usize): void {
  const turned = load<f64>(a) * load<f64>(b) - load<f64>(c) * load<f64>(d)
  store<f64>(at, load<f64>(at) - load<f64>(i, GM) * turned)
}

function addPostNewtonian(end: usize, halfKick: f64): void {
  const root = load<f64>(GM)
  const strength = f64x2.splat(root / (LIGHT * LIGHT))
  const mass = f64x2.splat(root)
  const half = f64x2.splat(halfKick)
  const four = f64x2.splat(4)
  const vx = f64x2.splat(load<f64>(V) + halfKick * load<f64>(A))
  const vy = f64x2.splat(load<f64>(VY) + halfKick * load<f64>(AY))
  const vz = f64x2.splat(load<f64>(VZ) + halfKick * load<f64>(AZ))
  let x = f64x2.splat(0)
  let y = f64x2.splat(0)
  let z = f64x2.splat(0)
  let tx = f64x2.splat(0)
  let ty = f64x2.splat(0)
  let tz = f64x2.splat(0)
  let rate = f64x2.splat(0)
  let pair = PAIRS
  for (let b: usize = 0; b < end; b += 16) {
    const dx = v128.load(pair)
    const dy = v128.load(pair, 16)
    const dz = v128.load(pair, 32)
    const before = v128.load(b, A)
    const beforeY = v128.load(b, AY)
    const beforeZ = v128.load(b, AZ)
    const ux = f64x2.sub(f64x2.add(v128.load(b, V), f64x2.mul(half, before)), vx)
    const uy = f64x2.sub(f64x2.add(v128.load(b, VY), f64x2.mul(half, beforeY)), vy)
    const uz = f64x2.sub(f64x2.add(v128.load(b, VZ), f64x2.mul(half, beforeZ)), vz)
    const scale = f64x2.mul(strength, v128.load(pair, 64))
    const potential = f64x2.mul(mass, f64x2.sqrt(v128.load(pair, 48)))
    const speed2 = dot(ux, uy, uz, ux, uy, uz)
    const radial = f64x2.mul(scale, f64x2.sub(f64x2.mul(four, potential), speed2))
    const along = f64x2.mul(f64x2.mul(scale, four), dot(dx, dy, dz, ux, uy, uz))
    const ax = f64x2.add(f64x2.mul(radial, dx), f64x2.mul(along, ux))
    const ay = f64x2.add(f64x2.mul(radial, dy), f64x2.mul(along, uy))
    const az = f64x2.add(f64x2.mul(radial, dz), f64x2.mul(along, uz))
    v128.store(b, f64x2.add(before, ax), A)
    v128.store(b, f64x2.add(beforeY, ay), AY)
    v128.store(b, f64x2.add(beforeZ, az), AZ)
    const gm = v128.load(b, GM)
    const fx = f64x2.mul(gm, ax)
    const fy = f64x2.mul(gm, ay)
    const fz = f64x2.mul(gm, az)
    x = f64x2.add(x, fx)
    y = f64x2.add(y, fy)
    z = f64x2.add(z, fz)
    tx = f64x2.add(tx, f64x2.sub(f64x2.mul(dy, fz), f64x2.mul(dz, fy)))
    ty = f64x2.add(ty, f64x2.sub(f64x2.mul(dz, fx), f64x2.mul(dx, fz)))
    tz = f64x2.add(tz, f64x2.sub(f64x2.mul(dx, fy), f64x2.mul(dy, fx)))
    const wx = f64x2.add(ux, f64x2.mul(half, ax))
    const wy = f64x2.add(uy, f64x2.mul(half, ay))
    const wz = f64x2.add(uz, f64x2.mul(half, az))
    rate = f64x2.add(rate, dot(fx, fy, fz, wx, wy, wz))
    pair += PAIR
  }
  const px = lanes(x)
  const py = lanes(y)
  const pz = lanes(z)
  store<f64>(A, load<f64>(A) - px / root)
  store<f64>(AY, load<f64>(AY) - py / root)
  store<f64>(AZ, load<f64>(AZ) - pz / root)
  collect(TORQUE, tx)
  collect(TORQUE + 8, ty)
  collect(TORQUE + 16, tz)
  store<f64>(POWER, lanes(rate) + (halfKick * (px * px + py * py + pz * pz)) / root)
}
