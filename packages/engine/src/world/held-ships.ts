import type { ByNumber } from './numbered.ts'
import type { RosterEntry } from './roster.ts'

/** A ship with a change that is not durable: until it is, what was shown before is shown. */
export interface HeldShip {
  readonly shipId: string
  readonly number: number
  /** as it was listed; undefined for one that was not there */
  readonly entry: RosterEntry | undefined
  /** as it was shown, see `views/shown-ship`; undefined for one that was not there */
  readonly shown: unknown
  /** of the last command that has to become durable */
  sequence: number
}

export interface HeldShips {
  readonly byNumber: Map<number, HeldShip>
  readonly byId: Map<string, HeldShip>
  /** rises with each change of which ships are listed otherwise than the roster has them */
  listing: number
}

/** What of a world says which ships are shown. */
interface Listed {
  readonly held: {
    readonly byNumber: ReadonlyMap<number, Readonly<HeldShip>>
    readonly byId: ReadonlyMap<string, Readonly<HeldShip>>
  }
  readonly roster: {
    readonly byId: ReadonlyMap<string, RosterEntry>
    readonly byNumber: ByNumber<RosterEntry>
  }
}

export function createHeldShips(): HeldShips {
  return { byNumber: new Map(), byId: new Map(), listing: 0 }
}

/** Whether a held ship is new, or gone: the roster then has it otherwise than it is shown. */
export function isListedOtherwise({ roster }: Listed, { entry, number }: HeldShip): boolean {
  return !entry || !roster.byNumber.has(number)
}

/** The ships of a world that are shown, in the order they came; those that have left at the end. */
export function shownEntries({ held, roster }: Listed): RosterEntry[] {
  if (held.byNumber.size === 0) return [...roster.byId.values()]
  const shown: RosterEntry[] = []
  for (const entry of roster.byId.values()) {
    const ship = held.byNumber.get(entry.number)
    if (!ship) shown.push(entry)
    else if (ship.entry) shown.push(ship.entry)
  }
  for (const { entry, number } of held.byNumber.values()) {
    if (entry && !roster.byNumber.has(number)) shown.push(entry)
  }
  return shown
}

/** Whether a ship is among those that are shown. */
export function isShown({ held, roster }: Listed, number: number): boolean {
  const ship = held.byNumber.get(number)
  return ship ? ship.entry !== undefined : roster.byNumber.has(number)
}

/** A ship that is held in one of some worlds, by its id. */
export function heldShip(
  { worlds }: { readonly worlds: readonly Pick<Listed, 'held'>[] },
  shipId: string,
): Readonly<HeldShip> | undefined {
  for (const { held } of worlds) {
    const ship = held.byId.get(shipId)
    if (ship) return ship
  }
  return undefined
}

/** The world in which a ship is shown, which it may have left already. */
export function shownWorld<Of extends Listed>(
  { worlds }: { readonly worlds: readonly Of[] },
  shipId: string,
): Of | undefined {
  return worlds.find(({ held, roster }) => {
    const ship = held.byId.get(shipId)
    return ship ? ship.entry !== undefined : roster.byId.has(shipId)
  })
}
