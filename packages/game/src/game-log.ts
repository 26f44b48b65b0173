type Write = (details: object, message: string) => void

/** Where the game writes what operators should know; a pino logger is one. */
export interface GameLog {
  readonly info: Write
  readonly error: Write
  readonly fatal: Write
}
