import type { GameModules } from '@orrery/engine/modules'
import type { ShipClassOffer } from '@orrery/protocol'
import type { ShipClass } from '@orrery/sim'

/** The ship classes and modules that an operator gives. */
export interface GivenShips {
  /** a world that has others gains those it lacks; without them it keeps its own */
  readonly shipClasses?: readonly ShipClass[]
  /** name of the class of new accounts' ships; the world's first when left out */
  readonly newShips?: string
  /** what is said of classes, by name */
  readonly offers?: ReadonlyMap<string, Partial<ShipClassOffer>>
  /** a world that has others is refused */
  readonly modules?: GameModules | undefined
}

/** Settings of the game that hold until it ends. */
export interface GameConfig extends GivenShips {
  /** the first admin, made where there is none */
  readonly admin: { readonly username: string; readonly password: string } | undefined
  readonly shipsMax: number
  /** of a new world; a stored one keeps its own */
  readonly worldSeed: string
  /** how long commands can be replayed, at least [ms]; `Infinity` keeps the whole journal */
  readonly journalMs: number
  /** of the backups made on request; older ones are deleted */
  readonly backupsKept: number
}

type Write = (details: object, message: string) => void

/** Where the game writes what operators should know; a pino logger is one. */
export interface GameLog {
  readonly info: Write
  readonly error: Write
  readonly fatal: Write
}
