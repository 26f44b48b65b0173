/** A rectangle along the axes [px]. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** As in SVG: x' = a x + c y + e, y' = b x + d y + f. */
export interface Matrix {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
}

/** The smallest box around all boxes that have an extent; `undefined` if none has. */
export function union(boxes: readonly Box[]): Box | undefined {
  const filled = boxes.filter(({ width, height }) => width > 0 || height > 0)
  if (filled.length === 0) return undefined
  return between(
    filled.flatMap(({ x, width }) => [x, x + width]),
    filled.flatMap(({ y, height }) => [y, y + height]),
  )
}

/** The smallest box around a transformed box. */
export function transformed({ x, y, width, height }: Box, { a, b, c, d, e, f }: Matrix): Box {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ]
  return between(
    corners.map(([u, v]) => a * u + c * v + e),
    corners.map(([u, v]) => b * u + d * v + f),
  )
}

function between(xs: readonly number[], ys: readonly number[]): Box {
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
