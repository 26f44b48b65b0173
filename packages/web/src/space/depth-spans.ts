/**
 * The distances before the camera, cut into spans that are drawn one after the other, far to near,
 * each with the whole depth buffer: from 1 m to 10¹³ m no two surfaces compete for one depth.
 */

/** What is drawn between two distances from the camera [m]. */
export interface DepthSpan {
  readonly near: number
  readonly far: number
  /** indices of the extents within */
  readonly members: readonly number[]
}

/** From the nearest to the farthest point of an object [m]. */
export interface Extent {
  readonly near: number
  readonly far: number
}

/** Neighbouring objects share a span up to this ratio of far to near. */
const RATIO_MAX = 5000

/** A gap before objects with a larger ratio of far to near belongs to the next span. */
const GAP_RATIO = 4
const GAP_EDGE = 0.01

/**
 * Spans that together reach from `near` to `far`, farthest first; they meet in the gaps between
 * objects, and no object is cut.
 */
export function depthSpans(
  extents: readonly Extent[],
  { near, far }: Extent,
): readonly DepthSpan[] {
  const order = [...extents.keys()]
    .filter((i) => extents[i].far > near)
    .toSorted((a, b) => extents[b].far - extents[a].far)
  const groups: { near: number; far: number; members: number[] }[] = []
  for (const i of order) {
    const { near: start, far: end } = extents[i]
    const from = Math.max(start, near)
    const last = groups.at(-1)
    if (last && (end >= last.near || last.far <= from * RATIO_MAX)) {
      last.near = Math.min(last.near, from)
      last.members.push(i)
    } else {
      groups.push({ near: from, far: end, members: [i] })
    }
  }
  const spans: DepthSpan[] = []
  let edge = Math.max(far, (groups[0]?.far ?? 0) * (1 + GAP_EDGE))
  for (const [i, group] of groups.entries()) {
    const next = groups[i + 1]?.far ?? near
    const isLast = i === groups.length - 1
    const reachesNear = isLast && group.far <= near * RATIO_MAX
    const start = reachesNear ? near : Math.max(startOf(group.near, next), near)
    spans.push({ near: start, far: edge, members: group.members })
    edge = start
  }
  if (edge > near) spans.push({ near, far: edge, members: [] })
  return spans
}

/**
 * Where the span of objects begins. Depth is finest there: a gap before them costs more of it than
 * one beyond.
 *
 * @param next  end of the objects that are nearer
 */
function startOf(near: number, next: number): number {
  const before = near * (1 - GAP_EDGE)
  return before < next * GAP_RATIO ? Math.sqrt(near * next) : before
}
