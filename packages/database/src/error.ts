/** Why a database could not be opened, kept or brought up to date. */
export type DatabaseErrorCode =
  | 'ERR_DATABASE_DIRECTORY'
  | 'ERR_DATABASE_OWNED'
  | 'ERR_DATABASE_SCHEMA'
  | 'ERR_DATABASE_UNREACHABLE'
  | 'ERR_DATABASE_URL'
  | 'ERR_MIGRATION_CHANGED'
  | 'ERR_MIGRATION_FAILED'
  | 'ERR_MIGRATION_FOLDER'
  | 'ERR_MIGRATION_FORMER'
  | 'ERR_MIGRATION_UNKNOWN'

/** Any failure of this package; its message never holds a connection URL or part of one. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
  readonly code: DatabaseErrorCode

  constructor(code: DatabaseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Receives notices of the database. */
export type Notice = (message: string, level: 'debug' | 'warn') => void

/** The message of a thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stable code an error carries, if any: a system's or PostgreSQL's. */
export function codeOf(error: unknown): string {
  const { code } = Object(error)
  return typeof code === 'string' ? code : 'unknown'
}
