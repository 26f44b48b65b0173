import {
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  type StateVector,
  bodyState,
  createStateVector,
  latticeFromUtc,
  utcFromLattice,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import type { World } from '../world/world.ts'

type Triple = readonly [number, number, number]

/** A massive body at one moment, ICRF axes. */
export interface BodyView {
  readonly name: string
  /** undefined for the root */
  readonly parentBody: string | undefined
  /** relative to the system's barycentre [m], [m/s] */
  readonly position: Triple
  readonly velocity: Triple
  /** relative to the parent; of the root, to the barycentre */
  readonly relativePosition: Triple
  readonly relativeVelocity: Triple
}

/** The massive bodies of a star system at one moment, UTC as Unix time [ms]. */
export interface BodiesView {
  readonly systemId: string
  readonly unixMs: number
  /** first and last whole millisecond that the ephemeris holds now */
  readonly fromMs: number
  readonly untilMs: number
  readonly bodies: readonly BodyView[]
}

const QUANTUM_MS = 1000 / QUANTA_PER_SECOND

/**
 * Bodies at the published index plus `offset` quanta (0 up to 1), or at an instant of UTC.
 *
 * @param unixMs  whole [ms]
 * @throws {EngineError} 'ERR_MOMENT' naming the span, when the ephemeris does not hold the instant
 */
export function bodiesView(world: World, offset: number, unixMs?: number): BodiesView {
  const { system, ephemeris } = world.state
  const { fromMs, untilMs } = heldSpan(world)
  // NaN is in no span.
  if (unixMs !== undefined && !(unixMs >= fromMs && unixMs <= untilMs)) {
    throw outsideEphemeris(world)
  }
  const index = unixMs === undefined ? world.index : latticeFromUtc(unixMs)
  // Apart from the index, whose fraction a double rounds: planets move 7 mm in its last bit.
  const past = unixMs === undefined ? offset : (unixMs - utcFromLattice(index)) / QUANTUM_MS
  const read = (body: number, center: number): StateVector => {
    const state = createStateVector()
    bodyState(state, ephemeris, body, center, index, past)
    return state
  }
  return {
    systemId: system.id,
    unixMs: unixMs ?? utcFromLattice(index + past),
    fromMs,
    untilMs,
    bodies: system.bodies.map(({ name, parent }, body) => {
      const absolute = read(body, -1)
      const relative = read(body, parent)
      return {
        name,
        parentBody: system.bodies[parent]?.name,
        position: triple(absolute.r),
        velocity: triple(absolute.v),
        relativePosition: triple(relative.r),
        relativeVelocity: triple(relative.v),
      }
    }),
  }
}

function heldSpan({ state }: World): Pick<BodiesView, 'fromMs' | 'untilMs'> {
  const [first, last] = state.ephemeris.span
  return {
    fromMs: Math.ceil(utcFromLattice(first * NODE_QUANTA)),
    untilMs: Math.ceil(utcFromLattice(last * NODE_QUANTA)) - 1,
  }
}

/** The refusal of a time that the ephemeris does not hold: it names the span that it holds. */
export function outsideEphemeris(world: World): EngineError {
  const { fromMs, untilMs } = heldSpan(world)
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString())
  const { name } = world.state.system
  return new EngineError('ERR_MOMENT', `The ephemeris of ${name} reaches from ${from} to ${until}.`)
}

function triple(v: Float64Array): Triple {
  return [v[0], v[1], v[2]]
}
