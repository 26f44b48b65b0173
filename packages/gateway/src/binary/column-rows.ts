import type { Column } from '@orrery/sim'

/** The values of a column. */
export type Values = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array

/**
 * Copies a row of a column to a row of another of the same kind.
 *
 * @param row  of `to`
 * @param at   row of `from`
 */
export function copyRow(
  { type, components }: Pick<Column, 'type' | 'components'>,
  to: Values,
  row: number,
  from: Values,
  at: number,
): void {
  const target = components * row
  const source = components * at
  // A loop for each type: one for all takes several times as long.
  if (type === 'f64') {
    const [into, values] = [to as Float64Array, from as Float64Array]
    for (let i = 0; i < components; i++) into[target + i] = values[source + i]
  } else if (type === 'f32') {
    const [into, values] = [to as Float32Array, from as Float32Array]
    for (let i = 0; i < components; i++) into[target + i] = values[source + i]
  } else if (type === 'i32') {
    const [into, values] = [to as Int32Array, from as Int32Array]
    for (let i = 0; i < components; i++) into[target + i] = values[source + i]
  } else if (type === 'u32') {
    const [into, values] = [to as Uint32Array, from as Uint32Array]
    for (let i = 0; i < components; i++) into[target + i] = values[source + i]
  } else {
    const [into, values] = [to as Uint8Array, from as Uint8Array]
    for (let i = 0; i < components; i++) into[target + i] = values[source + i]
  }
}
