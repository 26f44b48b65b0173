/**
 * The seed of a random test: `SEED` of the environment, or a new one. It is printed, so that a
 * failure can be repeated.
 *
 * @param name  what is random, for the printed line
 */
export function testSeed(name: string): number {
  const given = process.env['SEED'] ?? ''
  if (given !== '' && !/^\d{1,9}$/.test(given)) throw new Error(`SEED is no whole number: ${given}`)
  const seed = given === '' ? Date.now() % 2 ** 29 : Number(given)
  console.log(`${name}: SEED=${seed}`)
  return seed
}
