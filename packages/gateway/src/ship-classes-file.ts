import { requireClasses } from '@orrery/engine'
import type { GivenShips } from '@orrery/game'
import { StartError, errorText } from '@orrery/http'
import { type ShipClassesFile, shipClassOf, shipClassesFile } from '@orrery/protocol'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

/**
 * The ship classes of a file; nothing when there is none.
 *
 * @throws {StartError} naming the file and what is wrong with it
 */
export async function givenShips(file: string | undefined): Promise<GivenShips> {
  if (file === undefined) return {}
  try {
    const parsed = v.safeParse(
      v.pipe(v.string(), v.parseJson(), shipClassesFile),
      await readFile(file, 'utf8'),
    )
    if (!parsed.success) {
      const [issue] = parsed.issues
      throw new Error(`${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`)
    }
    return shipsOf(parsed.output)
  } catch (error) {
    throw new StartError(`SHIP_CLASSES: ${file}: ${errorText(error)}`)
  }
}

function shipsOf({ new_ships: newShips, ship_classes: entries }: ShipClassesFile): GivenShips {
  const shipClasses = entries.map(shipClassOf)
  requireClasses(shipClasses)
  if (newShips === undefined) return { shipClasses, newShips: shipClasses[0].name }
  if (shipClasses.some(({ name }) => name === newShips)) return { shipClasses, newShips }
  throw new Error(`There is no ship class ${newShips} for new ships.`)
}
