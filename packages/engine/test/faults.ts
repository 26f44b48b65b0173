import { type Kernel, TABLE_DOUBLES } from '@orrery/sim'

/** Orders for the faulty worker, as a shared Int32Array in the threads' environment data. */
export const FAULTS = 'faults'

/** Places in it: calls until it fails, which are counted, how it fails, and if there is poison. */
export const CALLS_LEFT = 0
export const COUNTED = 1
export const KIND = 2
export const POISON = 3
/** Trials that fail before they claim a ship. */
export const TRIALS = 4

/** What may be counted: all calls to the kernel, or those made between two steps of a ship. */
export const ALL = 0
export const BETWEEN_STEPS = 1

export function isBetweenSteps(...[, , stride, , table, bodies]: Parameters<Kernel>): boolean {
  return stride === 1 && bodies === table.length / TABLE_DOUBLES
}

export const KINDS = ['exits', 'throws', 'hangs'] as const

/** A ship so far out along x from its body is poison. */
export const POISONED_METRES = 5e8

export function fault(kind: number): void {
  if (KINDS[kind] === 'exits') process.exit(1)
  if (KINDS[kind] === 'throws') throw new Error('The kernel throws as ordered.')
  for (;;);
}
