/**
 * The twin of `pull` in src/ships/gravity.ts, which is the specification: the same bits.
 * AssemblyScript, compiled by build.ts into pull.wasm; all arguments but lengths are byte
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
    const x = load(point, both)
    const y = load(point + plane, both)
    const z = load(point + 2 * plane, both)
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
    store(target, ax, both)
    store(target + plane, ay, both)
    store(target + 2 * plane, az, both)
  }
}

/** gm / r³, the divisor as r² · √r². */
@inline
function scale(gm: v128, dx: v128, dy: v128, dz: v128): v128 {
  const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
  return f64x2.div(gm, f64x2.mul(r2, f64x2.sqrt(r2)))
}

@inline
function load(address: usize, both: bool): v128 {
  return both ? v128.load(address) : v128.load64_splat(address)
}

@inline
function store(address: usize, lanes: v128, both: bool): void {
  if (both) v128.store(address, lanes)
  else v128.store64_lane(address, lanes, 0)
}
