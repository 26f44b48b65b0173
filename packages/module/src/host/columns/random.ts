import { digest } from '@orrery/sim'

/**
 * A generator that gives the same numbers wherever it is made from the same texts: 0 up to 1.
 *
 * @source sfc32, Doty-Humphrey, PractRand 0.95 (public domain)
 */
export function createRandom(...seed: readonly string[]): () => number {
  let [a, b, c, counter] = digest(seed)
  return () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4_294_967_296
  }
}
