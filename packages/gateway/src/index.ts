/**
 * The game's server: a thin gateway before the tick engine.
 *
 * ```ts
 * const server = await startGameServer(gatewayConfig(process.env), logger)
 * console.log(server.address.href)
 * await server.stop()
 * ```
 */
export { backupEntryOf } from './views/backup-entry.ts'
export { type Config, type WorldConfig, gatewayConfig, worldConfig } from './config.ts'
export { type GameServer, startGameServer } from './game-server.ts'
export { createPastFlights } from './past/past-flights.ts'
export { shipState } from './views/wire-views.ts'
