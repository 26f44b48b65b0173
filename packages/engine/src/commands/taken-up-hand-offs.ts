import { type AnyHandOff, readHandOff } from '../world/hand-off.ts'
import { type Universe, findShip } from '../world/universe.ts'

/** A departure that a journal has without an arrival. */
export interface StoredHandOff {
  readonly systemId: string
  readonly shipId: string
  /** lattice index of the departure */
  readonly index: number
  /** JSON of the hand-off; undefined where it is damaged */
  readonly stored: string | undefined
}

/**
 * Leaves in transit only ships whose arrival is not journalled, after a recovery. A ship is as its
 * replayed departure left it; the stored row decides where the snapshot is newer. A ship that
 * flies is not in transit: its owner got a new one.
 */
export function takeUpHandOffs(universe: Universe, rows: readonly StoredHandOff[]): void {
  for (const { departed, state } of universe.worlds) {
    const replayed = new Map(departed)
    departed.clear()
    for (const row of rows.filter(({ systemId }) => systemId === state.system.id)) {
      const own = replayed.get(row.shipId)
      const ship = own?.index === row.index ? own : storedHandOff(row)
      if (ship && !findShip(universe, row.shipId)) departed.set(row.shipId, ship)
    }
  }
}

/** Undefined for a ship whose state is lost: its owner gets a new one. */
function storedHandOff({ stored, ...key }: StoredHandOff): AnyHandOff | undefined {
  const read = stored === undefined ? undefined : readHandOff(stored)
  if (!read) return undefined
  const { from, index, shipId } = read
  const isOwn = from === key.systemId && index === key.index && shipId === key.shipId
  return isOwn ? read : undefined
}
