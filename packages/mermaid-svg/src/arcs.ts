const NUMBER = String.raw`[\s,]*(-?[\d.]+(?:e-?\d+)?)`

/** A relative arc whose ellipse is not rotated. */
const ARC = new RegExp(`a${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}`, 'g')

const STEPS = 16

/** Path data with lines in place of relative arcs, near enough for a box. */
export function arcsAsLines(d: string): string {
  return d.replaceAll(ARC, polyline)
}

/** Source: SVG 2, appendix B.2.4, "Conversion from endpoint to center parameterization". */
function polyline(_: string, ...numbers: readonly string[]): string {
  const [rx, ry, , large, sweep, dx, dy] = numbers.slice(0, 7).map(Number)
  if (!(rx > 0 && ry > 0)) return `l${dx},${dy}`
  // On the unit circle, with the middle of the chord at the origin.
  const [u, v] = [dx / rx / 2, dy / ry / 2]
  const half = Math.hypot(u, v)
  const radius = Math.max(1, half)
  const away = Math.sqrt(radius ** 2 - half ** 2) * (large === sweep ? -1 : 1)
  const [p, q] = half === 0 ? [0, 0] : [(-v / half) * away, (u / half) * away]
  const begin = Math.atan2(-v - q, -u - p)
  const turn = Math.atan2(v - q, u - p) - begin
  const full = 2 * Math.PI
  const angle = sweep === 1 ? (turn + full) % full : -((full - turn) % full)
  let last = [0, 0]
  return Array.from({ length: STEPS }, (_, i) => {
    const at = begin + (angle * (i + 1)) / STEPS
    const next = [rx * (p + u + radius * Math.cos(at)), ry * (q + v + radius * Math.sin(at))]
    const step = `l${(next[0] - last[0]).toFixed(4)},${(next[1] - last[1]).toFixed(4)}`
    last = next
    return step
  }).join('')
}
