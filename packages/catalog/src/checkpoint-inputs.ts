import {
  type MassiveState,
  type StarSystem,
  absorbBytes,
  createDigest,
  finish,
  massiveStateAt,
} from '@orrery/sim'

/**
 * Digest of what a checkpoint file is made from, four words: masses and zonal fields, the start
 * state, and the states one node before and after it, which depend on each bit of the force
 * model and the method.
 */
export function checkpointInputs(system: StarSystem, start: MassiveState): Uint32Array {
  const lanes = createDigest()
  const mix = (numbers: ArrayLike<number>): void =>
    absorbBytes(lanes, new Uint8Array(Float64Array.from(numbers).buffer))
  for (const { gm, oblateness } of system.bodies) {
    mix([gm])
    if (!oblateness) continue
    const { referenceRadius, j2, j4 = 0, pole } = oblateness
    mix([referenceRadius, j2, j4, ...pole])
  }
  for (const step of [0, -1, 1]) {
    const state = massiveStateAt(system, start, start.node + step)
    mix([state.node])
    for (const column of stateColumns(state)) mix(column)
  }
  finish(lanes)
  return lanes
}

/** All numbers of a state but its node, in the order of a checkpoint. */
export function stateColumns(state: MassiveState): readonly Float64Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = state
  return [x, v, xLow, vLow, energyWork, angularWork]
}
