/**
 * What tests of several packages share.
 *
 * @example
 * ```ts
 * const server = await startPostgresServer()
 * const database = await openDatabase({ url: server.url, directory: '', schema: 'game' })
 * ```
 * @module
 */
export { type PostgresServer, startPostgresServer } from './postgres-server.ts'
export { testSeed } from './seed.ts'
