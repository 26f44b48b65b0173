/**
 * Newton's pull of a table of bodies on a list of points: `pull`, or a twin of it in another
 * language that gives the same bits.
 *
 * Points and accelerations are planes: all x, then all y, then all z, `stride` apart, so that a
 * twin can work on neighbouring points at once.
 *
 * @param out     accelerations [m/s²]
 * @param points  positions, same origin as the table [m]
 * @param stride  values from one plane to the next; at least `count`
 * @param count   how many points
 * @param table   body positions: all x, then all y, then all z [m]
 * @param gm      gravitational parameters in table order [m³/s²]
 * @param bodies  how many bodies of the table pull, from the first; it holds `gm.length`
 */
export type Kernel = (
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  table: Float64Array,
  gm: Float64Array,
  bodies: number,
) => void

/** The specification of the kernel: for every point, bodies in table order, one sum per axis. */
export const pull: Kernel = (out, points, stride, count, table, gm, bodies) => {
  const rows = gm.length
  for (let i = 0; i < count; i++) {
    const x = points[i]
    const y = points[stride + i]
    const z = points[2 * stride + i]
    let ax = 0
    let ay = 0
    let az = 0
    for (let j = 0; j < bodies; j++) {
      const dx = table[j] - x
      const dy = table[rows + j] - y
      const dz = table[2 * rows + j] - z
      const r2 = dx * dx + dy * dy + dz * dz
      const scale = gm[j] / (r2 * Math.sqrt(r2))
      ax += scale * dx
      ay += scale * dy
      az += scale * dz
    }
    out[i] = ax
    out[stride + i] = ay
    out[2 * stride + i] = az
  }
}
