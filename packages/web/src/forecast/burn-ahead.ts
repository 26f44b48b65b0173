/** The next burn of a forecast. */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { length, vector, type Vector } from '@orrery/page-kit'

export interface BurnAhead {
  /** lattice index at which it begins */
  readonly begin: number
  /** [m/s]; NaN where the forecast ends before it does */
  readonly deltaV: number
  /** of the thrust when it begins, inertial axes [m/s²] */
  readonly direction: Vector
}

/** Lattice indices of a second. */
const SECOND = 64

const before = createShipSample()
const after = createShipSample()

/** The first burn that begins after a lattice index. */
export function burnAhead(
  { marks, stateAt }: Pick<Forecast, 'marks' | 'stateAt'>,
  time: number,
  bodies: readonly { readonly gm: number }[],
): BurnAhead | undefined {
  const at = marks.findIndex(({ kind, index }) => kind === 'burn_begin' && index > time)
  if (at < 0) return undefined
  const { index: begin } = marks[at]
  const end = marks.slice(at).find(({ kind }) => kind === 'burn_end')
  const half = Math.min(SECOND, (end?.index ?? Infinity) - begin) / 2
  if (!stateAt(before, begin) || !stateAt(after, begin + half)) return undefined
  // What the velocity gains beside the pull of the body is the thrust's.
  const seconds = half / SECOND
  const pull = (bodies[before.reference]?.gm ?? NaN) / length(before.r) ** 3
  const along = (k: number): number =>
    (after.v[k] - before.v[k]) / seconds + (pull * (before.r[k] + after.r[k])) / 2
  return { begin, deltaV: end?.deltaV ?? NaN, direction: vector(along(0), along(1), along(2)) }
}
