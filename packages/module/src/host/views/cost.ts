import type { ModuleCost } from '@orrery/engine/modules'
import type { CallCost } from '../calls/call-cost.ts'
import type { ColumnMemory } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'

/** Measures a call. @param act  returns why it has broken, if it has */
export function timed<Broken>(cost: CallCost, act: () => Broken | undefined): Broken | undefined {
  const startMs = performance.now()
  const broken = act()
  const seconds = (performance.now() - startMs) / 1000
  cost.seconds += seconds
  cost.worst = Math.max(cost.worst, seconds)
  cost.calls++
  return broken
}

export function moduleCost({ cost, module, ships, tables }: RunningModule): ModuleCost {
  const all = [...ships, ...Array.from(tables.values(), ({ memories }) => memories).flat()]
  const rows = Array.from(tables.values(), ({ count, name, rowsMax }) => {
    return { name, rows: count, rowsMax }
  })
  return { id: module.id, bytes: all.reduce(addBytes, 0), ...cost, tables: rows }
}

function addBytes(sum: number, { words }: ColumnMemory): number {
  return sum + words.byteLength
}
