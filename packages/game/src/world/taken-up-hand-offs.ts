import { type Universe, takeUpHandOffs as takeUp } from '@orrery/engine'
import type { HandOffRow } from '@orrery/store'
import type { GameLog } from '../game-config.ts'

/** Leaves in transit only ships whose arrival is not journalled; logs rows that are damaged. */
export function takeUpHandOffs(
  universe: Universe,
  rows: readonly HandOffRow[],
  logger: GameLog,
): void {
  for (const { shipId, lattice, isSound } of rows) {
    if (!isSound) logger.error({ ship: shipId, lattice }, 'a stored hand-off is damaged')
  }
  const stored = rows.map(({ systemId, shipId, lattice: index, isSound, ship }) => {
    return { systemId, shipId, index, stored: isSound ? ship : undefined }
  })
  takeUp(universe, stored)
}
