import {
  type RosterEntry,
  type Trajectories,
  type World,
  createTrajectories,
  isShown,
  shownEntries,
} from '@orrery/engine'
import { createBlock } from '@orrery/protocol'
import { type ClientView, NO_SHIPS, type ShipList } from './client-view.ts'
import { FramePieces } from './frame-pieces.ts'
import { PUBLISHED, PublishedRows } from './published-rows.ts'
import { addIdentities } from './ship-identities.ts'

/** Ships in one view at most. */
export const SHIPS_IN_BINARY_VIEW_MAX = 10_000

const NONE: readonly number[] = []

/** What all clients get that see the whole system and have missed nothing. */
interface SharedRows {
  readonly pieces: FramePieces
  /** numbers of the ships whose identities are in it, as they came into the system */
  readonly joined: readonly number[]
}

/** One star system, as publications of it are sent. */
export class Channel {
  readonly world: World
  readonly trajectories: Trajectories
  publication: Trajectories['publication']
  /** all ships; undefined when they are too many for a view */
  whole: ShipList | undefined
  /** rises when ships come or go */
  rosterVersion = 0
  readonly #renamedAt = new Map<number, number>()
  readonly #renamed = new Set<number>()
  #lastRename = 0
  /** the last publication that changed something, the one before, and the ships before it */
  #changed: number
  #changedBefore: number
  #wholeBefore: ShipList | undefined
  #rosterKey = ''
  #shared: SharedRows | undefined
  readonly #rows: PublishedRows
  #hasReadRows = false

  /** @param publication  number of the last one of the system; 0 before the first */
  constructor(world: World, publication: number) {
    this.world = world
    this.trajectories = createTrajectories(world, publication, isInOneView(world))
    this.publication = this.trajectories.publish(isInOneView(world))
    this.#rows = new PublishedRows(world.state.slots)
    this.#changed = this.#changedBefore = this.publication.number
    this.#readRoster()
    this.#wholeBefore = this.whole
  }

  get systemId(): string {
    return this.world.state.system.id
  }

  /** The next publication, of the world as it is. */
  publish(): void {
    this.#advance(this.trajectories.publish(isInOneView(this.world)))
  }

  /**
   * A publication of what ships will do by orders that wait; false when there is nothing new. It
   * has no record of a ship that came after the last one.
   */
  publishAhead(shipNumbers: readonly number[]): boolean {
    const publication = this.trajectories.ahead(shipNumbers)
    if (publication) this.#advance(publication)
    return publication !== undefined
  }

  /** Whether ships came or went since the last publication. */
  haveShipsMoved(): boolean {
    return rosterKey(this.world) !== this.#rosterKey
  }

  /** Notes a new name; it is sent with the next publication. */
  rename(shipId: string): void {
    const entry = this.world.roster.byId.get(shipId)
    if (entry) this.#renamed.add(entry.number)
  }

  /** Whether a client sees the whole system and knows all of it up to this publication. */
  isSynced(view: ClientView): boolean {
    if (view.each || !this.whole || view.ships !== this.#wholeBefore) return false
    const { number } = this.publication
    return view.sent >= (this.#changed === number ? this.#changedBefore : this.#changed)
  }

  /** Whether a publication after that one had anything. */
  hasChangedSince(publication: number): boolean {
    return this.#changed > publication
  }

  /** What this publication has for clients that are synced; made at the first call. */
  shared(): SharedRows {
    return (this.#shared ??= this.#makeShared())
  }

  /** Whether a publication after that one had another name of a ship. */
  hasRenamedSince(publication: number): boolean {
    return this.#lastRename > publication
  }

  /** Ships among those of a view that were renamed after what the client was sent. */
  renamedSince(sent: number): readonly number[] {
    if (!this.hasRenamedSince(sent)) return NONE
    const numbers: number[] = []
    for (const [number, at] of this.#renamedAt) if (at > sent) numbers.push(number)
    return numbers
  }

  /** Where the rows of this publication are. */
  rows(): PublishedRows {
    if (!this.#hasReadRows) {
      const { byNumber } = this.world.roster
      this.#rows.read(this.publication, (number) => byNumber.get(number)?.slot)
      this.#hasReadRows = true
    }
    return this.#rows
  }

  /** The ships of a list that are still there. */
  present(ships: ShipList): ShipList {
    if (ships.numbers.every((number) => isShown(this.world, number))) return ships
    return listOf(this.entries([...ships.numbers]))
  }

  entries(numbers: readonly number[]): RosterEntry[] {
    const { byNumber } = this.world.roster
    return numbers.flatMap((number) => byNumber.get(number) ?? [])
  }

  #advance(publication: Trajectories['publication']): void {
    this.#wholeBefore = this.whole
    this.publication = publication
    this.#shared = undefined
    this.#hasReadRows = false
    const { arcs, burns, hulls, number, steps } = publication
    const count = arcs.count + steps.count + burns.count + hulls.count
    const hasMoved = this.#readRoster()
    for (const ship of this.#renamed) this.#renamedAt.set(ship, (this.#lastRename = number))
    const isChanged = count > 0 || hasMoved || this.#renamed.size > 0
    this.#renamed.clear()
    if (!isChanged) return
    this.#changedBefore = this.#changed
    this.#changed = number
  }

  /** Lists the ships again if any came or went; returns whether that is so. */
  #readRoster(): boolean {
    const key = rosterKey(this.world)
    if (key === this.#rosterKey) return false
    this.#rosterKey = key
    this.rosterVersion++
    const { byNumber } = this.world.roster
    for (const number of this.#renamedAt.keys()) {
      if (!byNumber.has(number)) this.#renamedAt.delete(number)
    }
    this.whole = isInOneView(this.world) ? listOf(shownEntries(this.world)) : undefined
    return true
  }

  #makeShared(): SharedRows {
    const { publication } = this
    const pieces = new FramePieces()
    const before = this.#wholeBefore ?? NO_SHIPS
    const joined = joinedSince(before, this.whole ?? NO_SHIPS)
    addNumbers(pieces, 'left', joinedSince(this.whole ?? NO_SHIPS, before))
    const renamed = this.renamedSince(publication.number - 1)
    addIdentities(pieces, this.world, this.entries([...new Set([...joined, ...renamed])]))
    for (const name of PUBLISHED) pieces.addRows(name, publication[name])
    return { pieces: pieces.joined(), joined }
  }
}

/** A text that changes when ships come to a world, go, or are shown after all. */
export function rosterKey({ held, roster }: World): string {
  // Every ship that comes takes a number; without one the count falls when a ship goes.
  return `${roster.nextNumber} ${roster.byNumber.size} ${held.listing}`
}

function isInOneView({ roster }: World): boolean {
  return roster.byNumber.size <= SHIPS_IN_BINARY_VIEW_MAX
}

/** A list of ships, by number. */
export function listOf(entries: readonly RosterEntry[]): ShipList {
  const sorted = entries.toSorted((a, b) => a.number - b.number)
  return {
    numbers: Uint32Array.from(sorted, ({ number }) => number),
    slots: Int32Array.from(sorted, ({ slot }) => slot),
  }
}

/** Adds a block of numbers; none when there are none. */
export function addNumbers(
  pieces: FramePieces,
  name: 'left' | 'view',
  numbers: Uint32Array | readonly number[],
): void {
  if (numbers.length === 0) return
  const { bytes, columns } = createBlock(name, numbers.length)
  columns.number.set(numbers)
  pieces.add(bytes)
}

/** Numbers of ships in a list that are not in another one. */
function joinedSince(before: ShipList, now: ShipList): number[] {
  if (before === now) return []
  const known = new Set(before.numbers)
  return [...now.numbers].filter((number) => !known.has(number))
}
