/** Position and velocity from one origin, as triples. */
export interface StateVector {
  /** [m] */
  readonly r: Float64Array
  /** [m/s] */
  readonly v: Float64Array
}

/** A state vector of zeros, to be written into. */
export function createStateVector(): StateVector {
  return { r: new Float64Array(3), v: new Float64Array(3) }
}
