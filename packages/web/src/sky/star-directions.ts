/** Bytes per star: three int16 of its direction, its magnitude and colour. */
export const STAR_BYTES = 8

/**
 * Directions of the stars in ICRF, three numbers each.
 *
 * @param bytes  of `stars.bin`, see `assets/SOURCES.md`
 */
export function starDirections(bytes: ArrayBuffer): Float32Array {
  const view = new DataView(bytes)
  return Float32Array.from(
    { length: 3 * (bytes.byteLength / STAR_BYTES) },
    (_, k) => view.getInt16(STAR_BYTES * Math.floor(k / 3) + 2 * (k % 3), true) / 32_767,
  )
}
