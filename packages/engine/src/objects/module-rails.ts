import { RAILS_MAX, type Rail, isRail, writeRail } from '@orrery/sim'
import type { World } from '../world/world.ts'
import { removeRail } from './rails.ts'

/** Rows of modules on rails that can be targets, of a star system; stations take the others. */
export const MODULE_RAILS_MAX = 256

/**
 * Lays the rails of modules' rows from the end of the table on, where stations and gates come last.
 * A row has its place by what modules declare, so it is the same after a restart.
 */
export function layModuleRails(world: World): void {
  const { modules, railed, roster, state } = world
  const wanted = (modules?.rails ?? []).slice(0, MODULE_RAILS_MAX)
  const placed = new Map<string, { readonly row: number; readonly rail: Rail }>()
  for (const [place, one] of wanted.entries()) {
    if (one) placed.set(one.id, { row: RAILS_MAX - 1 - place, rail: one.rail })
  }
  for (const [id, { row }] of railed) {
    if (placed.get(id)?.row === row) continue
    railed.delete(id)
    removeRail(world, id)
  }
  for (const [id, { row, rail }] of placed) {
    // Nothing is directed at what a full table has no room for.
    if (railed.has(id) || isRail(state.rails, row)) continue
    writeRail(state.rails, row, rail)
    roster.rails.set(id, row)
    railed.set(id, { row, rail })
  }
}
