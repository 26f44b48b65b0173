/**
 * PostgreSQL for every service: an embedded server by default, a server by URL, one handle.
 *
 * @example
 * ```ts
 * const database = await openDatabase({ directory: '.data/game', schema: 'game' })
 * await migrate(database, new URL('../migrations/', import.meta.url))
 * const [{ now }] = await database.sql`select now()`
 * await database.close()
 * ```
 * @module
 */
export { isAway, reasonOf } from './away.ts'
export { type Database, type DatabaseOptions, openDatabase } from './database.ts'
export { DatabaseError, type DatabaseErrorCode, errorText } from './error.ts'
export { makeDirectory } from './make-directory.ts'
export { migrate } from './migration.ts'
