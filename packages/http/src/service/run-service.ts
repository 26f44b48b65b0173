import { enableCompileCache } from 'node:module'
import type { Environment } from '../config/config.ts'
import { type LogLevel, type Logger, createLogger } from '../logs/logger.ts'
import type { Secret } from '../logs/secret.ts'
import type { Service } from './service.ts'
import { Shutdown } from './shutdown.ts'
import { VERSION } from '../config/version.ts'

/** Time for a clean stop. */
const STOP_MS_MAX = 20_000

/** A service as a program: what its `main.ts` consists of. */
export interface ServiceProgram<Config extends { readonly logLevel: LogLevel }> {
  /** name of the service in its log */
  readonly name: string
  /** text of `--help` */
  readonly help: () => string
  /** @throws {ConfigError} */
  readonly config: (environment: Environment) => Config
  /** values that no line of the log may contain */
  readonly secrets: (config: Config) => readonly (Secret | undefined)[]
  /** what is printed before `listens on <address>` */
  readonly title: (config: Config) => string
  /** imports the service's code itself, so that none is loaded with a wrong environment */
  readonly start: (config: Config, logger: Logger) => Promise<Service>
}

/** Runs a service until a signal, the loss of its data, or a failed start ends the process. */
export async function runService<Config extends { readonly logLevel: LogLevel }>(
  program: ServiceProgram<Config>,
): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument !== undefined) {
    const isHelp = argument === '--help' || argument === '-h'
    const isVersion = argument === '--version'
    if (isHelp) console.log(program.help())
    else if (isVersion) console.log(VERSION)
    else console.error('Cannot start: arguments are not taken; --help names the variables that are')
    process.exit(isHelp || isVersion ? 0 : 1)
  }
  // Compiling takes half of the processor time of a start.
  enableCompileCache()
  try {
    const config = program.config(process.env)
    const secrets = program.secrets(config).filter((secret) => secret !== undefined)
    const logger = createLogger({ level: config.logLevel, destination: 'stderr', secrets })
    const service = await program.start(config, logger)
    const shutdown = new Shutdown({ logger, deadlineMs: STOP_MS_MAX })
    shutdown.add(program.name, () => service.stop())
    shutdown.listen()
    void service.ownershipLost?.then((reason) => shutdown.start(reason))
    logger.info({ address: service.address.href, pid: process.pid, version: VERSION }, 'started')
    console.log(`${program.title(config)} listens on ${service.address.href}`)
  } catch (error) {
    console.error(error instanceof Error ? startFailure(error) : String(error))
    process.exit(1)
  }
}

/** An expected error carries a code and becomes one line; any other keeps its stack. */
function startFailure(error: Error): string {
  return 'code' in error ? `Cannot start: ${error.message}` : (error.stack ?? error.message)
}
