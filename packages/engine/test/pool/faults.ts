import { type ShipKernel, TABLE_DOUBLES } from '@orrery/sim'

/** Orders for the faulty worker, as a shared Int32Array in the threads' environment data. */
export const FAULTS = 'faults'

/** Places in it: calls until it fails, which are counted, how it fails, and if there is poison. */
export const CALLS_LEFT = 0
export const COUNTED = 1
export const KIND = 2
export const POISON = 3
/** Trials that fail before they claim a ship. */
export const TRIALS = 4
/** How often threads have failed. */
export const FAILED = 5
export const FAULTS_BYTES = 24

/** What may be counted: all calls to the kernel, or those made between two steps of a ship. */
export const ALL = 0
export const BETWEEN_STEPS = 1

const NO_POINTS = new Float64Array(0)

/**
 * A kernel with something done before each call.
 *
 * @param before  gets the x of all points, and whether the call is made between two steps of a ship
 */
export function watchKernel(
  kernel: ShipKernel,
  before: (xs: Float64Array, betweenSteps: boolean) => void,
): ShipKernel {
  return {
    pull(...given) {
      const [, points, stride, count, table, bodies] = given
      before(points.subarray(0, count), stride === 1 && bodies === table.length / TABLE_DOUBLES)
      kernel.pull(...given)
    },
    place(...given) {
      before(NO_POINTS, false)
      kernel.place(...given)
    },
    step(...given) {
      const [{ position }, count] = given
      before(position.subarray(0, count), false)
      kernel.step(...given)
    },
    bounds(...given) {
      const [{ position }, count] = given
      before(position.subarray(0, count), false)
      kernel.bounds(...given)
    },
    turn(...given) {
      before(NO_POINTS, false)
      kernel.turn(...given)
    },
  }
}

/** How far a thread that is to be ended has come. */
export const BEGUN = 1
export const FLOWN = 2

export const KINDS = ['exits', 'throws', 'hangs'] as const

/** A ship so far out along x from its body is poison. */
export const POISONED_METRES = 5e8

const ASLEEP = new Int32Array(new SharedArrayBuffer(4))

export function fault(faults: Int32Array): void {
  Atomics.add(faults, FAILED, 1)
  const kind = faults[KIND]
  if (KINDS[kind] === 'exits') process.exit(1)
  if (KINDS[kind] === 'throws') throw new Error('The kernel throws as ordered.')
  // It sleeps most of the time, so that it takes no processor from the other threads.
  for (;;) Atomics.wait(ASLEEP, 0, 0, 20)
}
