/**
 * Number of this physics: raised by one with every change of the golden digests, since commands
 * that were kept under one physics give another world under the next.
 */
export const PHYSICS = 5
