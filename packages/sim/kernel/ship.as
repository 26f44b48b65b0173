/**
 * The twin of `pull` in src/field/gravity.ts, which is the specification: the same bits.
 * AssemblyScript, compiled by build.ts into ship.wasm; all arguments but lengths are byte
 * addresses in the imported memory.
 *
 * The two lanes of a vector are two neighbouring points, so each point sees the bodies in table
 * order and the operations of the specification in its order. One vector at a time is enough:
 * the divider is the bottleneck, the processor overlaps the bodies by itself, and four points at
 * a time want more than the sixteen registers of SSE (measured 3 % slower). Two bodies at a time
 * spare loop overhead (measured 2 % faster).
 */
export function pull(
  out: usize,
  points: usize,
  stride: usize,
  count: usize,
  table: usize,
  bodies: usize,
): void {
  const plane = stride << 3
  const end = table + (bodies << 5)
  const evenEnd = table + ((bodies >> 1) << 6)
  for (let i: usize = 0; i < count; i += 2) {
    // An odd last point fills both lanes, so that nothing behind it is read or written.
    const both = i + 1 < count
    const point = points + (i << 3)
    const x = loadPair(point, both)
    const y = loadPair(point + plane, both)
    const z = loadPair(point + 2 * plane, both)
    let ax = f64x2.splat(0)
    let ay = f64x2.splat(0)
    let az = f64x2.splat(0)
    let body = table
    for (; body < evenEnd; body += 64) {
      const dx0 = f64x2.sub(v128.load64_splat(body), x)
      const dy0 = f64x2.sub(v128.load64_splat(body, 8), y)
      const dz0 = f64x2.sub(v128.load64_splat(body, 16), z)
      const scale0 = scale(v128.load64_splat(body, 24), dx0, dy0, dz0)
      ax = f64x2.add(ax, f64x2.mul(scale0, dx0))
      ay = f64x2.add(ay, f64x2.mul(scale0, dy0))
      az = f64x2.add(az, f64x2.mul(scale0, dz0))
      const dx1 = f64x2.sub(v128.load64_splat(body, 32), x)
      const dy1 = f64x2.sub(v128.load64_splat(body, 40), y)
      const dz1 = f64x2.sub(v128.load64_splat(body, 48), z)
      const scale1 = scale(v128.load64_splat(body, 56), dx1, dy1, dz1)
      ax = f64x2.add(ax, f64x2.mul(scale1, dx1))
      ay = f64x2.add(ay, f64x2.mul(scale1, dy1))
      az = f64x2.add(az, f64x2.mul(scale1, dz1))
    }
    if (body < end) {
      const dx = f64x2.sub(v128.load64_splat(body), x)
      const dy = f64x2.sub(v128.load64_splat(body, 8), y)
      const dz = f64x2.sub(v128.load64_splat(body, 16), z)
      const last = scale(v128.load64_splat(body, 24), dx, dy, dz)
      ax = f64x2.add(ax, f64x2.mul(last, dx))
      ay = f64x2.add(ay, f64x2.mul(last, dy))
      az = f64x2.add(az, f64x2.mul(last, dz))
    }
    const target = out + (i << 3)
    storePair(target, ax, both)
    storePair(target + plane, ay, both)
    storePair(target + 2 * plane, az, both)
  }
}

/** gm / r³, the divisor as r² · √r². */
@inline
function scale(gm: v128, dx: v128, dy: v128, dz: v128): v128 {
  const r2 = squares(dx, dy, dz)
  return f64x2.div(gm, f64x2.mul(r2, f64x2.sqrt(r2)))
}

@inline
function loadPair(address: usize, both: bool): v128 {
  return both ? v128.load(address) : v128.load64_splat(address)
}

@inline
function storePair(address: usize, lanes: v128, both: bool): void {
  if (both) v128.store(address, lanes)
  else v128.store64_lane(address, lanes, 0)
}

/** Bytes from one plane to the next, see src/field/step-scratch.ts. */
const PLANE: usize = 264 * 8

/** Places of the planes in a block, the position first; see src/field/step-scratch.ts. */
const POSITION_LOW: usize = 3
const VELOCITY: usize = 6
const VELOCITY_LOW: usize = 9
const GRAVITY: usize = 12
const FORCE: usize = 15
const FUEL: usize = 18
const END_FUEL: usize = 19
const BOUNDS: usize = 20
const STRICTEST: usize = 22
const NEAR_GROUND: usize = 24
const ATTITUDE: usize = 25
const MOMENTUM: usize = 29
const WHEELS: usize = 32

/** How many rows go through a step together. */
const ROWS: usize = 32

/** Byte offsets in a stage. */
const KICK: usize = 0
const DRIFT: usize = 8
const BURNT: usize = 16
const BODIES: usize = 24
const OBLATE: usize = 32
const ORIGIN_PULL: usize = 40
const OBLATE_BODY: usize = 64
const OBLATE_BYTES: usize = 56
const TABLE: usize = 176

/**
 * The twin of `step` in src/field/ship-kernel.ts. Rows go in pairs; the partner of an odd last
 * row is whatever its lane holds.
 */
export function step(
  block: usize,
  count: usize,
  stages: usize,
  stageBytes: usize,
  last: usize,
  dryMass: f64,
): void {
  const even = (count + 1) & ~1
  // Some rows go through all stages before the next: their planes stay in the nearest cache.
  for (let first: usize = 0; first < even; first += ROWS) {
    const rows = min(ROWS, even - first)
    const start = block + (first << 3)
    let stage = stages
    for (let s: usize = 0; s <= last; s++, stage += stageBytes) {
      if (s > 0) {
        const bodies = usize(load<f64>(stage, BODIES))
        pull(start + GRAVITY * PLANE, start, PLANE >> 3, rows, stage + TABLE, bodies)
      }
      for (let at = start; at < start + (rows << 3); at += 16) {
        if (s > 0) addFrame(at, stage)
        kick(at, stage, dryMass)
        if (s < last) drift(at, v128.load64_splat(stage, DRIFT))
      }
    }
  }
}

/** The reference body's own acceleration and the oblate bodies' terms, for two rows. */
@inline
function addFrame(at: usize, stage: usize): void {
  const gravity = at + GRAVITY * PLANE
  let ax = f64x2.sub(v128.load(gravity), v128.load64_splat(stage, ORIGIN_PULL))
  let ay = f64x2.sub(v128.load(gravity + PLANE), v128.load64_splat(stage, ORIGIN_PULL + 8))
  let az = f64x2.sub(v128.load(gravity + 2 * PLANE), v128.load64_splat(stage, ORIGIN_PULL + 16))
  const end = stage + usize(load<f64>(stage, OBLATE)) * OBLATE_BYTES
  for (let body = stage; body < end; body += OBLATE_BYTES) {
    const x = f64x2.sub(v128.load(at), v128.load64_splat(body, OBLATE_BODY))
    const y = f64x2.sub(v128.load(at + PLANE), v128.load64_splat(body, OBLATE_BODY + 8))
    const z = f64x2.sub(v128.load(at + 2 * PLANE), v128.load64_splat(body, OBLATE_BODY + 16))
    const px = v128.load64_splat(body, OBLATE_BODY + 24)
    const py = v128.load64_splat(body, OBLATE_BODY + 32)
    const pz = v128.load64_splat(body, OBLATE_BODY + 40)
    const r2 = squares(x, y, z)
    const r3 = f64x2.mul(r2, f64x2.sqrt(r2))
    const inverse5 = f64x2.div(f64x2.splat(1), f64x2.mul(r2, r3))
    const scale = f64x2.mul(v128.load64_splat(body, OBLATE_BODY + 48), inverse5)
    const height = f64x2.add(f64x2.add(f64x2.mul(x, px), f64x2.mul(y, py)), f64x2.mul(z, pz))
    const square = f64x2.mul(f64x2.mul(f64x2.splat(5), height), height)
    const excess = f64x2.mul(square, f64x2.mul(r3, inverse5))
    const radial = f64x2.mul(scale, f64x2.sub(excess, f64x2.splat(1)))
    const axial = f64x2.mul(f64x2.mul(f64x2.splat(-2), scale), height)
    ax = f64x2.add(ax, f64x2.add(f64x2.mul(radial, x), f64x2.mul(axial, px)))
    ay = f64x2.add(ay, f64x2.add(f64x2.mul(radial, y), f64x2.mul(axial, py)))
    az = f64x2.add(az, f64x2.add(f64x2.mul(radial, z), f64x2.mul(axial, pz)))
  }
  v128.store(gravity, ax)
  v128.store(gravity + PLANE, ay)
  v128.store(gravity + 2 * PLANE, az)
}

@inline
function kick(at: usize, stage: usize, dryMass: f64): void {
  const h = v128.load64_splat(stage, KICK)
  if (dryMass > 0) {
    const fuel = v128.load(at + FUEL * PLANE)
    const used = f64x2.sub(v128.load(at + END_FUEL * PLANE), fuel)
    const left = f64x2.add(fuel, f64x2.mul(v128.load64_splat(stage, BURNT), used))
    const mass = f64x2.add(f64x2.splat(dryMass), left)
    const inverseMass = f64x2.div(f64x2.splat(1), mass)
    for (let plane = at; plane < at + 3 * PLANE; plane += PLANE) {
      const thrust = f64x2.mul(v128.load(plane + FORCE * PLANE), inverseMass)
      speedUp(plane, h, f64x2.add(v128.load(plane + GRAVITY * PLANE), thrust))
    }
  } else {
    for (let plane = at; plane < at + 3 * PLANE; plane += PLANE) {
      speedUp(plane, h, v128.load(plane + GRAVITY * PLANE))
    }
  }
}

@inline
function speedUp(plane: usize, h: v128, acceleration: v128): void {
  const low = plane + VELOCITY_LOW * PLANE
  const gain = f64x2.add(f64x2.mul(h, acceleration), v128.load(low))
  addExactly(plane + VELOCITY * PLANE, low, gain)
}

@inline
function drift(at: usize, h: v128): void {
  let position = at
  const end = at + 3 * PLANE
  for (; position < end; position += PLANE) {
    const low = position + POSITION_LOW * PLANE
    const lowGain = f64x2.mul(h, v128.load(position + VELOCITY_LOW * PLANE))
    const rest = f64x2.add(lowGain, v128.load(low))
    const gain = f64x2.mul(h, v128.load(position + VELOCITY * PLANE))
    addExactly(position, low, f64x2.add(gain, rest))
  }
}

/** The two-sum of src/math/compensated.ts. */
@inline
function addExactly(high: usize, low: usize, change: v128): void {
  const before = v128.load(high)
  const sum = f64x2.add(before, change)
  const part = f64x2.sub(sum, before)
  v128.store(high, sum)
  v128.store(low, f64x2.add(f64x2.sub(before, f64x2.sub(sum, part)), f64x2.sub(change, part)))
}

/** 1 / (4 - 4^(1/3)), see src/attitude/rigid-body.ts. */
const SUZUKI: f64 = 0.4144907717943757

/** The twin of `turn` in src/field/ship-kernel.ts. */
export function turn(block: usize, count: usize, ix: f64, iy: f64, iz: f64, seconds: f64): void {
  const even = (count + 1) & ~1
  for (let first: usize = 0; first < even; first += ROWS) {
    const start = block + (first << 3)
    const end = start + (min(ROWS, even - first) << 3)
    let before: f64 = 0
    for (let part: usize = 0; part < 5; part++) {
      const fraction: f64 = part == 2 ? 1 - 4 * SUZUKI : SUZUKI
      const side = (0.25 * fraction * seconds) / iy
      turnAbout(start, end, 0, PLANE, 2 * PLANE, (0.25 * (before + fraction) * seconds) / ix)
      turnAbout(start, end, PLANE, 2 * PLANE, 0, side)
      turnAbout(start, end, 2 * PLANE, 0, PLANE, (0.5 * fraction * seconds) / iz)
      turnAbout(start, end, PLANE, 2 * PLANE, 0, side)
      before = fraction
    }
    turnAbout(start, end, 0, PLANE, 2 * PLANE, (0.25 * before * seconds) / ix)
  }
}

/** One rotation of all rows about an axis: they do not wait for each other. */
function turnAbout(start: usize, end: usize, a: usize, b: usize, c: usize, share: f64): void {
  for (let row = start; row < end; row += 16) {
    const at = row + ATTITUDE * PLANE
    const vector = at + PLANE
    const momentum = row + MOMENTUM * PLANE
    const w = v128.load(at)
    const own = v128.load(vector + a)
    const next = v128.load(vector + b)
    const last = v128.load(vector + c)
    const pa = v128.load(momentum + a)
    const pb = v128.load(momentum + b)
    const pc = v128.load(momentum + c)
    const ownTwist = twist(last, pb, next, pc)
    const nextTwist = twist(own, pc, last, pa)
    const lastTwist = twist(next, pa, own, pb)
    const across = f64x2.sub(f64x2.mul(last, nextTwist), f64x2.mul(next, lastTwist))
    const turned = f64x2.add(f64x2.add(pa, f64x2.mul(w, ownTwist)), across)
    const free = f64x2.sub(turned, v128.load(row + WHEELS * PLANE + a))
    const half = f64x2.mul(free, f64x2.splat(share))
    const h2 = f64x2.mul(half, half)
    const far = plus(17.0 / 315.0, h2, plus(62.0 / 2835.0, h2, f64x2.splat(1382.0 / 155925.0)))
    const near = plus(1.0 / 3.0, h2, plus(2.0 / 15.0, h2, far))
    const tangent = f64x2.mul(half, plus(1, h2, near))
    const length = f64x2.sqrt(plus(1, tangent, tangent))
    const cosine = f64x2.div(f64x2.splat(1), length)
    const sine = f64x2.mul(tangent, cosine)
    v128.store(at, f64x2.sub(f64x2.mul(w, cosine), f64x2.mul(own, sine)))
    v128.store(vector + a, f64x2.add(f64x2.mul(own, cosine), f64x2.mul(w, sine)))
    v128.store(vector + b, f64x2.add(f64x2.mul(next, cosine), f64x2.mul(last, sine)))
    v128.store(vector + c, f64x2.sub(f64x2.mul(last, cosine), f64x2.mul(next, sine)))
  }
}

/** 2 (q p - r s). */
@inline
function twist(q: v128, p: v128, r: v128, s: v128): v128 {
  return f64x2.mul(f64x2.splat(2), f64x2.sub(f64x2.mul(q, p), f64x2.mul(r, s)))
}

/** constant + x y. */
@inline
function plus(constant: f64, x: v128, y: v128): v128 {
  return f64x2.add(f64x2.splat(constant), f64x2.mul(x, y))
}

/** The twin of `bounds` in src/field/ship-kernel.ts; a row of its table takes 64 bytes. */
export function bounds(block: usize, count: usize, table: usize, bodies: usize): void {
  const end = table + (bodies << 6)
  const even = (count + 1) & ~1
  for (let row: usize = 0; row < even; row += 2) {
    const at = block + (row << 3)
    const px = v128.load(at)
    const py = v128.load(at + PLANE)
    const pz = v128.load(at + 2 * PLANE)
    const ux = v128.load(at + VELOCITY * PLANE)
    const uy = v128.load(at + (VELOCITY + 1) * PLANE)
    const uz = v128.load(at + (VELOCITY + 2) * PLANE)
    let free2 = f64x2.splat(Infinity)
    let close2 = f64x2.splat(Infinity)
    let heavy = f64x2.splat(0)
    let close = f64x2.splat(0)
    let near = f64x2.splat(0)
    let number = f64x2.splat(0)
    const margin = f64x2.splat(1.000001)
    for (let body = table; body < end; body += 64) {
      const dx = f64x2.sub(v128.load64_splat(body), px)
      const dy = f64x2.sub(v128.load64_splat(body, 8), py)
      const dz = f64x2.sub(v128.load64_splat(body, 16), pz)
      const r2 = squares(dx, dy, dz)
      const vx = f64x2.sub(v128.load64_splat(body, 32), ux)
      const vy = f64x2.sub(v128.load64_splat(body, 40), uy)
      const vz = f64x2.sub(v128.load64_splat(body, 48), uz)
      const v2 = squares(vx, vy, vz)
      const gm = v128.load64_splat(body, 24)
      const least = f64x2.mul(free2, gm)
      // The square of the comparison below, with room for rounding: most bodies end here.
      const tooLight = f64x2.gt(f64x2.mul(f64x2.mul(r2, r2), r2), f64x2.mul(f64x2.mul(least, least), margin))
      if (!i64x2.all_true(tooLight)) {
        const fall2 = f64x2.div(f64x2.mul(r2, f64x2.sqrt(r2)), gm)
        const isHeavier = f64x2.lt(fall2, free2)
        free2 = v128.bitselect(fall2, free2, isHeavier)
        heavy = v128.bitselect(number, heavy, isHeavier)
      }
      const isCloser = f64x2.lt(r2, f64x2.mul(close2, v2))
      if (v128.any_true(isCloser)) {
        close2 = v128.bitselect(f64x2.div(r2, v2), close2, isCloser)
        close = v128.bitselect(number, close, isCloser)
      }
      const isAway = f64x2.gt(r2, v128.load64_splat(body, 56))
      near = v128.bitselect(near, f64x2.splat(1), isAway)
      number = f64x2.add(number, f64x2.splat(1))
    }
    v128.store(at + BOUNDS * PLANE, free2)
    v128.store(at + (BOUNDS + 1) * PLANE, close2)
    v128.store(at + STRICTEST * PLANE, heavy)
    v128.store(at + (STRICTEST + 1) * PLANE, close)
    v128.store(at + NEAR_GROUND * PLANE, near)
  }
}

@inline
function squares(x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y)), f64x2.mul(z, z))
}

/** Byte offsets in a plan, see src/field/field-plan.ts. */
const PLAN_OBLATE: usize = 8
const FIRST_OBLATE: usize = 16
const PLAN_OBLATE_BYTES: usize = 40
const MERGED: usize = 96
const LISTS: usize = 112

/** Byte offsets in a pair of nodes, see src/ephemeris/node-pair.ts. */
const PAIR_PLANES: usize = 48

/**
 * The twin of `placeBodies` in src/field/field-plan.ts; `plane` is in bytes.
 */
export function place(stage: usize, plan: usize, bodies: usize, pair: usize, plane: usize): void {
  const first = pair + PAIR_PLANES
  const positions = first + 6 * plane
  interpolate(pair, first, plane)
  const lineage = usize(load<f64>(plan))
  const others = plan + LISTS + (lineage << 3)
  const order = others + ((bodies - lineage) << 4)
  const count = usize(load<f64>(plan, MERGED))
  const merged = order - (count << 4)
  const rows = bodies - count
  const gm = order + (rows << 3)
  chain(positions, plan + LISTS, others, merged)
  merge(positions, merged, order, gm + (rows << 3))
  for (let j: usize = 0; j < rows; j++) {
    const body = positions + usize(load<f64>(order + (j << 3))) * 24
    const row = stage + TABLE + (j << 5)
    v128.store(row, v128.load(body))
    store<f64>(row, load<f64>(body, 16), 16)
    store<f64>(row, load<f64>(gm + (j << 3)), 24)
  }
  store<f64>(stage, f64(rows), BODIES)
  const terms = load<f64>(plan, PLAN_OBLATE)
  store<f64>(stage, terms, OBLATE)
  const pulled = stage + ORIGIN_PULL
  // The reference body stands in the origin, and is last in the table.
  const reference = usize(load<f64>(plan, LISTS))
  pull(pulled, positions + reference * 24, 1, 1, stage + TABLE, rows - 1)
  for (let term: usize = 0; term < usize(terms); term++) {
    const from = plan + FIRST_OBLATE + term * PLAN_OBLATE_BYTES
    const to = stage + OBLATE_BODY + term * OBLATE_BYTES
    const body = usize(load<f64>(from))
    const at = positions + body * 24
    v128.store(to, v128.load(at))
    store<f64>(to, load<f64>(at, 16), 16)
    v128.store(to, v128.load(from, 8), 24)
    v128.store(to, v128.load(from, 24), 40)
    if (body != reference) addOriginOblateness(pulled, to)
  }
}

@inline
function interpolate(pair: usize, first: usize, plane: usize): void {
  const x1 = v128.load64_splat(pair)
  const v0 = v128.load64_splat(pair, 8)
  const v1 = v128.load64_splat(pair, 16)
  const a0 = v128.load64_splat(pair, 24)
  const a1 = v128.load64_splat(pair, 32)
  for (let at = first; at < first + plane; at += 16) {
    const x = v128.load(at)
    const v = f64x2.add(
      f64x2.mul(v0, v128.load(at + plane)),
      f64x2.mul(v1, v128.load(at + 4 * plane)),
    )
    const a = f64x2.add(
      f64x2.mul(a0, v128.load(at + 2 * plane)),
      f64x2.mul(a1, v128.load(at + 5 * plane)),
    )
    const gain = f64x2.mul(x1, f64x2.sub(v128.load(at + 3 * plane), x))
    v128.store(at + 6 * plane, f64x2.add(x, f64x2.add(gain, f64x2.add(v, a))))
  }
}

@inline
function chain(positions: usize, lineage: usize, others: usize, end: usize): void {
  let x: f64 = 0
  let y: f64 = 0
  let z: f64 = 0
  for (let at = lineage; at < others; at += 8) {
    const body = positions + usize(load<f64>(at)) * 24
    const linkX = load<f64>(body)
    const linkY = load<f64>(body, 8)
    const linkZ = load<f64>(body, 16)
    store<f64>(body, x)
    store<f64>(body, y, 8)
    store<f64>(body, z, 16)
    x -= linkX
    y -= linkY
    z -= linkZ
  }
  for (let at = others; at < end; at += 16) {
    const body = positions + usize(load<f64>(at)) * 24
    const above = positions + usize(load<f64>(at, 8)) * 24
    v128.store(body, f64x2.add(v128.load(body), v128.load(above)))
    store<f64>(body, load<f64>(body, 16) + load<f64>(above, 16), 16)
  }
}

/** Moves bodies to the barycentres with those that are merged into them. */
@inline
function merge(positions: usize, merged: usize, end: usize, shares: usize): void {
  let at = merged
  for (let share = shares; at < end; at += 16, share += 8) {
    const body = positions + usize(load<f64>(at)) * 24
    const above = positions + usize(load<f64>(at, 8)) * 24
    const link = f64x2.mul(v128.load64_splat(share), v128.load(body))
    v128.store(above, f64x2.add(v128.load(above), link))
    store<f64>(above, load<f64>(above, 16) + load<f64>(share) * load<f64>(body, 16), 16)
  }
}

/** The oblate body's term in the origin, for the acceleration of the reference body. */
@inline
function addOriginOblateness(out: usize, term: usize): void {
  const x = 0 - load<f64>(term)
  const y = 0 - load<f64>(term, 8)
  const z = 0 - load<f64>(term, 16)
  const px = load<f64>(term, 24)
  const py = load<f64>(term, 32)
  const pz = load<f64>(term, 40)
  const r2 = x * x + y * y + z * z
  const r3 = r2 * sqrt(r2)
  const inverse5 = 1 / (r2 * r3)
  const scale = load<f64>(term, 48) * inverse5
  const height = x * px + y * py + z * pz
  const radial = scale * (5 * height * height * (r3 * inverse5) - 1)
  const axial = -2 * scale * height
  store<f64>(out, load<f64>(out) + (radial * x + axial * px))
  store<f64>(out, load<f64>(out, 8) + (radial * y + axial * py), 8)
  store<f64>(out, load<f64>(out, 16) + (radial * z + axial * pz), 16)
}
