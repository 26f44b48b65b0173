import { type Universe, allShips } from '@orrery/engine'
import type { ShipOwner } from '@orrery/store'
import { type OpenedUniverse, reconciliation } from './stored-universe.ts'

/** What a restore of a stored world would undo; names are those of stations and gates. */
export interface RestorePreview {
  readonly ticks: number
  readonly gameMs: number
  /** ships that return to where they were */
  readonly ships: number
  /** ships made since, which begin at their spawn orbit */
  readonly shipsBeginAgain: number
  readonly stations: NameChanges
  readonly jumpgates: NameChanges
}

/** Names that disappear, and names that return. */
interface NameChanges {
  readonly gone: readonly string[]
  readonly back: readonly string[]
}

/** Compares the present world with a stored one. */
export function restorePreview(
  present: { readonly universe: Universe; readonly tick: number; readonly gameTimeMs: number },
  stored: OpenedUniverse & { readonly gameTimeMs: number },
  owners: readonly ShipOwner[],
): RestorePreview {
  const commands = reconciliation(stored.universe, owners)
  const begun = commands.filter(({ kind }) => kind === 'create_ship').length
  const removed = commands.length - begun
  const named = (of: Universe, objects: 'stations' | 'jumpgates'): Map<string, string> => {
    const names = new Map<string, string>()
    for (const world of of.worlds) {
      for (const [id, { name }] of world[objects]) names.set(id, name)
    }
    return names
  }
  const changes = (objects: 'stations' | 'jumpgates'): NameChanges => {
    const now = named(present.universe, objects)
    const then = named(stored.universe, objects)
    return { gone: missingIn(then, now), back: missingIn(now, then) }
  }
  return {
    ticks: present.tick - stored.tick,
    gameMs: present.gameTimeMs - stored.gameTimeMs,
    ships: [...allShips(stored.universe)].length - removed,
    shipsBeginAgain: begun,
    stations: changes('stations'),
    jumpgates: changes('jumpgates'),
  }
}

/** Names of what `all` holds and `some` does not. */
function missingIn(some: ReadonlyMap<string, string>, all: ReadonlyMap<string, string>): string[] {
  return [...all].filter(([id]) => !some.has(id)).map(([, name]) => name)
}
