import type { ShipColumns } from '../state/state.ts'

/** Values of one row of a table by column. */
export type Row = Readonly<Record<string, ArrayLike<number>>>

type Columns = readonly { readonly name: string; readonly components: number }[]
type AnyView = ShipColumns[keyof ShipColumns]
type Views = Readonly<Record<string, AnyView>>

/** A row of a table's views, copied. */
export function copiedRow(columns: Columns, views: object, row: number): Row {
  const values = columns.map(({ name, components }): [string, AnyView] => [
    name,
    (views as Views)[name].slice(row * components, (row + 1) * components),
  ])
  return Object.fromEntries(values)
}

/** Writes a copied row to a place of another table. */
export function writeRow(columns: Columns, views: object, row: number, values: Row): void {
  for (const { name, components } of columns) {
    ;(views as Views)[name].set(values[name], row * components)
  }
}
