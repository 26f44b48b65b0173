/** Settings of the game that hold until it ends. */
export interface GameConfig {
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
