import { type HandOff, type Universe, findShip, readHandOff } from '@orrery/engine'
import type { HandOffRow } from '@orrery/store'
import type { GameLog } from '../game-config.ts'

/**
 * Leaves in transit only ships whose arrival is not journalled, after a recovery. A ship is as its
 * replayed departure left it; the stored row decides where the snapshot is newer. A ship that
 * flies is not in transit: its owner got a new one.
 */
export function takeUpHandOffs(
  universe: Universe,
  rows: readonly HandOffRow[],
  logger: GameLog,
): void {
  for (const { departed, state } of universe.worlds) {
    const replayed = new Map(departed)
    departed.clear()
    for (const row of rows.filter(({ systemId }) => systemId === state.system.id)) {
      const { shipId, lattice, isSound } = row
      if (!isSound) logger.error({ ship: shipId, lattice }, 'a stored hand-off is damaged')
      const own = replayed.get(shipId)
      const ship = own?.index === lattice ? own : storedHandOff(row)
      if (ship && !findShip(universe, shipId)) departed.set(shipId, ship)
    }
  }
}

/** Undefined for a ship whose state is lost: its owner gets a new one. */
function storedHandOff({ isSound, ship, ...key }: HandOffRow): HandOff | undefined {
  const stored = isSound ? readHandOff(ship) : undefined
  if (!stored) return undefined
  const { from, index, shipId } = stored
  const isOwn = from === key.systemId && index === key.lattice && shipId === key.shipId
  return isOwn ? stored : undefined
}
