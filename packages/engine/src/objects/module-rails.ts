import { RAILS_MAX, isRail, writeRail } from '@orrery/sim'
import type { NamedRow } from '../world/rail-objects.ts'
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
  const placed = new Map<string, NamedRow>()
  for (const [place, one] of wanted.entries()) {
    if (one) placed.set(one.id, { name: one.name, row: RAILS_MAX - 1 - place, rail: one.rail })
  }
  for (const [id, { row }] of railed) {
    if (placed.get(id)?.row === row) continue
    railed.delete(id)
    removeRail(world, id)
  }
  for (const [id, named] of placed) {
    const { row, rail } = named
    // Nothing is directed at what a full table has no room for.
    if (railed.has(id) || isRail(state.rails, row)) continue
    writeRail(state.rails, row, rail)
    roster.rails.set(id, row)
    railed.set(id, named)
  }
}
