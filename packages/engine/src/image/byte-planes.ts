/** A column's values, as many per row as it has components. */
type View = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array

/** The values of a table, by the names of its columns. */
export type Views = Readonly<Record<string, View>>

interface PlaneColumn {
  readonly name: string
  readonly components: number
}

/** Rows that are taken through all planes at a time: they stay in the nearest cache. */
const BLOCK_ROWS = 256

/**
 * Writes the first rows of a table in planes: of each column the first byte of every row, then
 * the second of every row, and so on. Equal bytes of many ships are then adjacent, and
 * packs well: signs and exponents far more than the last bits of a fraction.
 *
 * @param at  byte of `out` to begin at
 * @returns   the byte after the last one written
 */
export function writePlanes(
  out: Uint8Array,
  at: number,
  columns: readonly PlaneColumn[],
  views: Views,
  rows: number,
): number {
  let begin = at
  for (const { name, components } of columns) {
    const { buffer, byteOffset, BYTES_PER_ELEMENT } = views[name]
    const rowBytes = components * BYTES_PER_ELEMENT
    const bytes = new Uint8Array(buffer, byteOffset, rows * rowBytes)
    for (let block = 0; block < rows; block += BLOCK_ROWS) {
      const blockEnd = rowBytes * Math.min(rows, block + BLOCK_ROWS)
      for (let plane = 0; plane < rowBytes; plane++) {
        let to = begin + plane * rows + block
        for (let from = block * rowBytes + plane; from < blockEnd; from += rowBytes) {
          out[to++] = bytes[from]
        }
      }
    }
    begin += bytes.length
  }
  return begin
}

/** Reads one column back from where its planes begin; the inverse of what `writePlanes` does. */
export function readPlanes(
  view: View,
  planes: Uint8Array,
  at: number,
  components: number,
  rows: number,
): void {
  const rowBytes = components * view.BYTES_PER_ELEMENT
  const bytes = new Uint8Array(view.buffer, view.byteOffset, rows * rowBytes)
  for (let block = 0; block < rows; block += BLOCK_ROWS) {
    const blockEnd = rowBytes * Math.min(rows, block + BLOCK_ROWS)
    for (let plane = 0; plane < rowBytes; plane++) {
      let from = at + plane * rows + block
      for (let to = block * rowBytes + plane; to < blockEnd; to += rowBytes) {
        bytes[to] = planes[from++]
      }
    }
  }
}
