import { CHUNK_SLOTS, EMPTY, type OrderPlaces, type WorldState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'

/** Id, number, name and slot of a ship; a rename makes a new entry. */
export interface RosterEntry {
  readonly shipId: string
  readonly number: number
  readonly name: string
  readonly slot: number
}

/** Names and ids of what is in the state, and where each one is kept. */
export interface Roster {
  readonly byId: Map<string, RosterEntry>
  readonly byNumber: Map<number, RosterEntry>
  /** rows of stations and gates in the table of rails, by id */
  readonly rails: Map<string, number>
  nextNumber: number
}

export function createRoster(): Roster {
  return { byId: new Map(), byNumber: new Map(), rails: new Map(), nextNumber: 1 }
}

export function enterRoster(roster: Roster, entry: RosterEntry): void {
  roster.byId.set(entry.shipId, entry)
  roster.byNumber.set(entry.number, entry)
}

export function leaveRoster(roster: Roster, entry: RosterEntry): void {
  roster.byId.delete(entry.shipId)
  roster.byNumber.delete(entry.number)
}

/**
 * The slots that new ships take: the lowest free ones, of the first chunk that has any.
 *
 * @param out   takes them; at least a chunk long
 * @param most  how many, if the chunk has so many
 * @returns how many it has
 */
export function freeSlots({ chunk, ships }: WorldState, out: Int32Array, most: number): number {
  const begin = CHUNK_SLOTS * chunk.chunkShips.findIndex((count) => count < CHUNK_SLOTS)
  let count = 0
  for (let slot = begin; slot < begin + CHUNK_SLOTS && count < most; slot++) {
    if (ships.condition[slot] === EMPTY) out[count++] = slot
  }
  return count
}

/** A ship by its id. @throws {EngineError} 'ERR_SHIP_UNKNOWN' */
export function shipEntry({ roster }: { readonly roster: Roster }, shipId: string): RosterEntry {
  const entry = roster.byId.get(shipId)
  if (!entry) throw new EngineError('ERR_SHIP_UNKNOWN', `No ship ${shipId}.`)
  return entry
}

/** Where what orders name is kept. */
export function placesIn({ byNumber, rails }: Roster): OrderPlaces {
  return {
    slotOf: (number) => byNumber.get(number)?.slot ?? -1,
    railOf: (id) => rails.get(id) ?? -1,
  }
}
