import { type RosterEntry, type World, shipClassAt } from '@orrery/engine'
import { createBlock } from '@orrery/protocol'
import type { FramePieces } from './frame-pieces.ts'

/** Adds who ships of a world are: numbers, ids, classes and names; nothing for no ships. */
export function addIdentities(
  frame: FramePieces,
  world: World,
  ships: readonly RosterEntry[],
): void {
  if (ships.length === 0) return
  const texts = ships.map(({ name }) => Buffer.from(name))
  const names = Buffer.concat(texts)
  const { bytes, columns } = createBlock('ships', ships.length)
  let end = 0
  const classes = world.state.classes.map(({ name }) => name)
  for (const [row, ship] of ships.entries()) {
    const { number, shipId } = ship
    columns.number[row] = number
    columns.shipId.set(Buffer.from(shipId.replaceAll('-', ''), 'hex'), 16 * row)
    end += texts[row].length
    columns.nameEnd[row] = end
    columns.shipClass[row] = classes.indexOf(shipClassAt(world, ship).name)
  }
  frame.add(bytes)
  const block = createBlock('names', end)
  block.columns.utf8.set(names)
  frame.add(block.bytes)
}

/** Bytes of an identity; a name is 32 code points at most. */
export const IDENTITY_BYTES: number = 25 + 32
