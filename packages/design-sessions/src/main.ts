import { Shutdown, createLogger } from '@orrery/http'
import { environmentHelp, serviceConfig } from './config.ts'

/** Time for a clean stop. */
const STOP_MS_MAX = 20_000

const [argument] = process.argv.slice(2)
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h'
  if (isHelp) console.log(environmentHelp())
  else console.error('Cannot start: arguments are not taken; --help names the variables that are')
  process.exit(isHelp ? 0 : 1)
}
try {
  const config = serviceConfig(process.env)
  const { token, databaseUrl, embedding, logLevel } = config
  const secrets = [token, databaseUrl, embedding?.key].filter((secret) => secret !== undefined)
  const logger = createLogger({ level: logLevel, destination: 'stderr', secrets })
  // Only now: a wrong environment is refused before the service is even loaded.
  const { startService } = await import('./service.ts')
  const service = await startService(config, logger)
  const shutdown = new Shutdown({ logger, deadlineMs: STOP_MS_MAX })
  shutdown.add('service', () => service.stop())
  shutdown.listen()
  logger.info({ address: service.address.href, pid: process.pid }, 'started')
  console.log(`Design sessions: listens on ${service.address.href}`)
} catch (error) {
  console.error(error instanceof Error ? oneLine(error) : String(error))
  process.exit(1)
}

/** What is expected to go wrong carries a code; a programming error keeps its stack. */
function oneLine(error: Error): string {
  return 'code' in error ? `Cannot start: ${error.message}` : (error.stack ?? error.message)
}
