import { Shutdown, createLogger } from '@orrery/http'
import { environmentHelp, gatewayConfig } from './config.ts'

/** Time for a clean stop, the stored world included. */
const STOP_MS_MAX = 20_000

const [argument] = process.argv.slice(2)
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h'
  if (isHelp) console.log(environmentHelp())
  else console.error('Cannot start: arguments are not taken; --help names the variables that are')
  process.exit(isHelp ? 0 : 1)
}
try {
  const config = gatewayConfig(process.env)
  const { tokenKey, databaseUrl, adminPassword, metricsToken, logLevel } = config
  const secrets = [tokenKey, databaseUrl, adminPassword, metricsToken].filter(
    (secret) => secret !== undefined,
  )
  const logger = createLogger({ level: logLevel, destination: 'stderr', secrets })
  // Only now: a wrong environment is refused before the game is even loaded.
  const { startGameServer } = await import('./game-server.ts')
  const server = await startGameServer(config, logger)
  const shutdown = new Shutdown({ logger, deadlineMs: STOP_MS_MAX })
  shutdown.add('game server', () => server.stop())
  shutdown.listen()
  void server.dispossessed.then((reason) => shutdown.start(reason))
  logger.info({ address: server.address.href, pid: process.pid }, 'started')
  console.log(`${config.serverName} listens on ${server.address.href}`)
} catch (error) {
  console.error(error instanceof Error ? oneLine(error) : String(error))
  process.exit(1)
}

/** What is expected to go wrong carries a code; a programming error keeps its stack. */
function oneLine(error: Error): string {
  return 'code' in error ? `Cannot start: ${error.message}` : (error.stack ?? error.message)
}
