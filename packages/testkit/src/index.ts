/**
 * Shared parts of tests, benches and scripts.
 *
 * @example
 * ```ts
 * const server = await startPostgresServer()
 * const database = await openDatabase({ url: server.url, directory: '', schema: 'game' })
 * ```
 * @module
 */
export { type Chance, createChance, testSeed } from './numbers/chance.ts'
export { deleteAll } from './services/delete-all.ts'
export { type Issuer, openIssuer } from './services/issuer.ts'
export {
  type PostgresServer,
  openFreshDatabase,
  startPostgresServer,
} from './services/postgres-server.ts'
export {
  type ProcessMemory,
  killProcesses,
  postmaster,
  processMemory,
  processesIn,
  processesLeft,
  processesOf,
  serverProcesses,
  statFields,
} from './services/processes.ts'
export { QUICK_PASSWORDS } from './services/quick-passwords.ts'
export { WITHOUT_LIMITS } from './services/address-limits.ts'
export {
  type ServiceEnvironment,
  type ServiceProcess,
  startService,
} from './services/service-process.ts'
export { simulatedClock, type SimulatedClock } from './numbers/simulated-clock.ts'
