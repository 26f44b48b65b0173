/**
 * Simulation time is an integer: a lattice index counts quanta of 1/64 s from J2000.0 TDB.
 * An index needs about 36 bits today, so 32-bit operators on it would silently wrap; a double
 * holds it exactly for four million years.
 */

/** Quanta in one second; a power of two, so that seconds are exact in binary. */
export const QUANTA_PER_SECOND = 64

/** Commands that steer a ship act only at multiples of this many quanta: 1/16 s. */
export const CONTROL_QUANTA = 4

/** Sightings and impacts happen at multiples of this many quanta: 1 s. */
export const BEAT_QUANTA = 64

/** No ship's step crosses a multiple (counted from its chunk's phase) of this: 64 s. */
export const BLOCK_QUANTA = 4096

/** Slots that are stepped together share a chunk. */
export const CHUNK_SLOTS = 256

/** The odd number next to a block's golden section. */
const PHASE_STRIDE = 2531

/**
 * Phase of a chunk's step boundaries in quanta, 0 to 4095. Any run of neighbouring chunks spreads
 * its work evenly, over the 64 s block and over every shorter step: sixteen neighbours have the
 * sixteen phases of a quarter second.
 */
export function chunkPhase(chunk: number): number {
  return ((chunk % BLOCK_QUANTA) * PHASE_STRIDE) % BLOCK_QUANTA
}

/** The first multiple of `quanta`, counted from `phase`, after index `n`. */
export function boundaryAfter(n: number, quanta: number, phase: number): number {
  return phase + quanta * (Math.floor((n - phase) / quanta) + 1)
}

/** The first multiple of `quanta` at or after index `n`. */
export function boundaryAtOrAfter(n: number, quanta: number): number {
  return Math.ceil(n / quanta) * quanta
}

/** The first beat after an index. */
export function beatAfter(n: number): number {
  return (Math.floor(n / BEAT_QUANTA) + 1) * BEAT_QUANTA
}
