import { EngineError, requireClasses } from '@orrery/engine'
import type { GivenShips } from '@orrery/game'
import { StartError, errorText } from '@orrery/http'
import { type ShipClassesFile, shipClassOf, shipClassesFile } from '@orrery/protocol'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

/**
 * The ship classes of a file, and how each is offered; empty without a file.
 *
 * @throws {StartError} naming the file, the class and the field, and what is wrong with it
 */
export async function givenShips(file: string | undefined): Promise<GivenShips> {
  if (file === undefined) return {}
  try {
    const parsed = v.safeParse(
      v.pipe(v.string(), v.parseJson(), shipClassesFile),
      await readFile(file, 'utf8'),
    )
    if (!parsed.success) throw new Error(faultOf(parsed.issues[0]))
    return shipsOf(parsed.output)
  } catch (error) {
    throw atFault(file, error)
  }
}

/** What is wrong with the classes of a file, by its name; any other error as it is. */
export function namingFile(file: string | undefined, error: unknown): unknown {
  const isOfFile = error instanceof EngineError && error.code === 'ERR_SHIP_CLASS'
  return isOfFile && file !== undefined ? atFault(file, error) : error
}

function atFault(file: string, error: unknown): StartError {
  return new StartError(`SHIP_CLASSES: ${file}: ${errorText(error)}`)
}

/** What is wrong, by the class and its field where there is one. */
function faultOf(issue: v.BaseIssue<unknown>): string {
  const { path = [], message } = issue
  const [list, entry, ...fields] = path
  const name: unknown = Object(entry?.value).name
  if (list?.key !== 'ship_classes' || fields.length === 0 || typeof name !== 'string') {
    return `${v.getDotPath(issue) ?? 'the whole'}: ${message}`
  }
  return `ship class ${name}: ${fields.map(({ key }) => String(key)).join('.')}: ${message}`
}

function shipsOf({ new_ships: named, ship_classes: entries }: ShipClassesFile): GivenShips {
  const shipClasses = entries.map(shipClassOf)
  requireClasses(shipClasses)
  const newShips = named ?? shipClasses[0].name
  const first = entries.find(({ name }) => name === newShips)
  if (!first) throw new Error(`There is no ship class ${newShips} for new ships.`)
  const { takers = 'everyone' } = first
  if (takers === 'operators' || (takers !== 'everyone' && !takers.includes('player'))) {
    throw new Error(`ship class ${newShips}: takers: new accounts' ships must be for players.`)
  }
  return { shipClasses, newShips, offers: new Map(entries.map((one) => [one.name, one])) }
}
