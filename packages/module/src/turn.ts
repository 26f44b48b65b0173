import { QUANTA_PER_SECOND } from '@orrery/sim'

/**
 * Whose turn it is at a full second: that of the ships whose numbers leave this remainder when
 * they are divided by the seconds between two beats.
 */
export function turnAt(index: number, every: number): number {
  const rest = (index / QUANTA_PER_SECOND) % every
  return rest < 0 ? rest + every : rest
}
