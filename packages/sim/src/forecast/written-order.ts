import type { Control } from '../commands/control.ts'
import { type OrderPlaces, writeControl } from '../commands/order-row.ts'
import { ORDER_COLUMNS } from '../state/layout.ts'
import { type OrderColumns, columnBytes, columnViews } from '../state/state.ts'
import { type Row, copiedRow } from './copied-rows.ts'

/** An order as a row of the order table. */
export function writtenOrder(control: Control, places: OrderPlaces): Row {
  const row = columnViews(ORDER_COLUMNS, new ArrayBuffer(columnBytes(ORDER_COLUMNS, 1)), 0, 1)
  writeControl(row as OrderColumns, 0, control, places)
  return copiedRow(ORDER_COLUMNS, row, 0)
}
