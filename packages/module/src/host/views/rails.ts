import type { RailedRow } from '@orrery/engine/modules'
import { digest, digestText } from '@orrery/sim'
import type { RunningModule } from '../running/running-module.ts'

/** What orders call a row on a rail: a UUID that no version of its module changes. */
export function rowId(systemId: string, module: string, table: string, row: number): string {
  const hex = digestText(digest([systemId, module, table, String(row)]))
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

/** Rows on rails, each at its place: tables take all the rows that they may have. */
export function railedRows(
  all: readonly RunningModule[],
  systemId: string,
): readonly (RailedRow | undefined)[] {
  return all.flatMap(({ module, tables }) => {
    return Array.from(tables.values()).flatMap((table) => {
      if (table.rails.length === 0) return []
      const lists = module.panel?.lists ?? []
      return Array.from({ length: module.tables[table.name].rows }, (_, place) => {
        if (place >= table.count) return undefined
        const id = rowId(systemId, module.id, table.name, place + 1)
        const { row = table.name } = lists.find((list) => list.table === table.name) ?? {}
        return { id, name: `${row} ${place + 1}`, rail: table.rail(place + 1) }
      })
    })
  })
}
