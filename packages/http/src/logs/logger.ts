import { type DestinationStream, type Logger, destination, pino, stdTimeFunctions } from 'pino'
import { lineMask, redacted } from './redaction.ts'
import type { Secret } from './secret.ts'

export type { Logger }

/** Levels a service can be set to, the gravest first. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** What a logger writes, and where. */
export interface LoggerOptions {
  readonly level: LogLevel
  /** A stream receives the lines themselves. */
  readonly destination: 'stdout' | 'stderr' | DestinationStream
  /** Texts that must not appear in a line, wherever they come from. */
  readonly secrets?: readonly Secret[]
}

/**
 * A logger of JSON lines. Values under names such as `password` or `token`, the given secrets, and
 * texts that look like credentials are masked; of an error only type, message, code, stack and
 * cause are written. Lines are written before the call returns, so none is lost at exit.
 */
export function createLogger({ level, destination: target, secrets = [] }: LoggerOptions): Logger {
  const stream =
    typeof target === 'string'
      ? destination({ fd: target === 'stdout' ? 1 : 2, sync: true })
      : target
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redacted,
        bindings: redacted,
      },
      hooks: { streamWrite: lineMask(secrets) },
    },
    stream,
  )
}
