import { CHUNK_SLOTS, EMPTY, type OrderPlaces, type WorldState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { Numbered } from './numbered.ts'

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
  readonly byNumber: Numbered<RosterEntry>
  /** rows of stations and gates in the table of rails, by id */
  readonly rails: Map<string, number>
  nextNumber: number
}

export function createRoster(): Roster {
  return { byId: new Map(), byNumber: new Numbered(), rails: new Map(), nextNumber: 1 }
}

export function enterRoster(roster: Roster, entry: RosterEntry): void {
  roster.byId.set(entry.shipId, entry)
  roster.byNumber.set(entry)
}

export function leaveRoster(roster: Roster, entry: RosterEntry): void {
  roster.byId.delete(entry.shipId)
  roster.byNumber.delete(entry.number)
}

/** Neighbouring chunks that fill together: as many as a quarter second has phases. */
const GROUP_CHUNKS = 16

/** A chunk takes so many before its group opens the next one. */
const FEW_SHIPS = 16

/**
 * The slots that new ships take, in turn: each the lowest free one of the chunk with the fewest
 * ships, in the first group of chunks that has room. So a small world has work for many threads.
 *
 * @param most  how many, if the group has so many
 */
export function freeSlots({ chunk, chunks, ships }: WorldState, most: number): number[] {
  const open = chunk.chunkShips.findIndex((count) => count < CHUNK_SLOTS)
  const first = open - (open % GROUP_CHUNKS)
  const counts = chunk.chunkShips.slice(first, Math.min(first + GROUP_CHUNKS, chunks))
  const next = Array.from(counts, (_, place) => (first + place) * CHUNK_SLOTS)
  const slots: number[] = []
  while (slots.length < most) {
    const place = fewest(counts)
    if (counts[place] === CHUNK_SLOTS) break
    while (ships.condition[next[place]] !== EMPTY) next[place]++
    slots.push(next[place]++)
    counts[place]++
  }
  return slots
}

/** The first of the chunks with the fewest ships; those with few are alike. */
function fewest(counts: Int32Array): number {
  let least = Infinity
  let place = 0
  for (let i = 0; i < counts.length; i++) {
    const crowd = Math.max(counts[i], FEW_SHIPS - 1)
    if (crowd >= least) continue
    least = crowd
    place = i
  }
  return place
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
