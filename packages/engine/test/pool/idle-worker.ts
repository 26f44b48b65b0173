/** Fails before it claims a chunk. */
export default function fail(): never {
  throw new Error('An idle worker flies nothing.')
}
