import { Shutdown, createLogger } from '@orrery/http'
import { gatewayConfig } from './config.ts'
import { startGameServer } from './game-server.ts'

/** Time for a clean stop, the stored world included. */
const STOP_MS_MAX = 20_000

try {
  const config = gatewayConfig(process.env)
  const secrets = [config.tokenKey, config.databaseUrl, config.adminPassword].filter(
    (secret) => secret !== undefined,
  )
  const logger = createLogger({ level: 'info', destination: 'stderr', secrets })
  const server = await startGameServer(config, logger)
  const shutdown = new Shutdown({ logger, deadlineMs: STOP_MS_MAX })
  shutdown.add('game server', () => server.stop())
  shutdown.listen()
  console.log(`${config.serverName} listens on ${server.address.href}`)
} catch (error) {
  console.error(error instanceof Error ? oneLine(error) : String(error))
  process.exit(1)
}

/** What is expected to go wrong carries a code; a programming error keeps its stack. */
function oneLine(error: Error): string {
  return 'code' in error ? `Cannot start: ${error.message}` : (error.stack ?? error.message)
}
