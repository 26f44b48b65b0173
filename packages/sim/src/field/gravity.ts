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
 * @param table   x, y, z [m] and gravitational parameter [m³/s²] of one body after the other
 * @param bodies  how many bodies of the table pull, from the first
 */
export type Pull = (
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  table: Float64Array,
  bodies: number,
) => void

/** Doubles of one body in the table of `pull`. */
export const TABLE_DOUBLES = 4

/**
 * The specification of the kernel: for every point, bodies in table order, one sum per axis.
 *
 * Points go in independent pairs: a body is read once for both, and one point's division overlaps
 * the other's.
 */
export const pull: Pull = (out, points, stride, count, table, bodies) => {
  const end = TABLE_DOUBLES * bodies
  const paired = count - (count % 2)
  for (let p = 0; p < paired; p += 2) {
    const q = p + 1
    const px = points[p]
    const py = points[stride + p]
    const pz = points[2 * stride + p]
    const qx = points[q]
    const qy = points[stride + q]
    const qz = points[2 * stride + q]
    let pax = 0
    let pay = 0
    let paz = 0
    let qax = 0
    let qay = 0
    let qaz = 0
    for (let j = 0; j < end; j += TABLE_DOUBLES) {
      const x = table[j]
      const y = table[j + 1]
      const z = table[j + 2]
      const mass = table[j + 3]
      const pdx = x - px
      const pdy = y - py
      const pdz = z - pz
      const pr2 = pdx * pdx + pdy * pdy + pdz * pdz
      const pscale = mass / (pr2 * Math.sqrt(pr2))
      pax += pscale * pdx
      pay += pscale * pdy
      paz += pscale * pdz
      const qdx = x - qx
      const qdy = y - qy
      const qdz = z - qz
      const qr2 = qdx * qdx + qdy * qdy + qdz * qdz
      const qscale = mass / (qr2 * Math.sqrt(qr2))
      qax += qscale * qdx
      qay += qscale * qdy
      qaz += qscale * qdz
    }
    out[p] = pax
    out[stride + p] = pay
    out[2 * stride + p] = paz
    out[q] = qax
    out[stride + q] = qay
    out[2 * stride + q] = qaz
  }
  if (paired < count) pullOne(out, points, stride, paired, table, end)
}

function pullOne(
  out: Float64Array,
  points: Float64Array,
  stride: number,
  p: number,
  table: Float64Array,
  end: number,
): void {
  const px = points[p]
  const py = points[stride + p]
  const pz = points[2 * stride + p]
  let ax = 0
  let ay = 0
  let az = 0
  for (let j = 0; j < end; j += TABLE_DOUBLES) {
    const dx = table[j] - px
    const dy = table[j + 1] - py
    const dz = table[j + 2] - pz
    const r2 = dx * dx + dy * dy + dz * dz
    const scale = table[j + 3] / (r2 * Math.sqrt(r2))
    ax += scale * dx
    ay += scale * dy
    az += scale * dz
  }
  out[p] = ax
  out[stride + p] = ay
  out[2 * stride + p] = az
}
