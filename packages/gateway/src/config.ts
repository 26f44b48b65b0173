import {
  type Environment,
  Secret,
  boolean,
  integer,
  list,
  parseConfig,
  port,
  secret,
  secretUrl,
  text,
} from '@orrery/http'
import { password, username } from '@orrery/protocol'
import * as v from 'valibot'

/** Bytes that the key tokens are signed with must have: 256 bits. */
const KEY_BYTES_MIN = 32

/** Everything the environment decides; parsed once, then passed down as values. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDirectory: string
  readonly databaseUrl: Secret | undefined
  readonly tokenKey: Secret
  readonly adminUsername: string | undefined
  readonly adminPassword: Secret | undefined
  readonly serverName: string
  readonly workers: number
  readonly shipsMax: number
  /** of a new world; a stored one keeps its own */
  readonly worldSeed: string
  readonly loginAttemptsPerMinute: number
  /** per address; 0 is unlimited */
  readonly registrationsPerHour: number
  readonly trustProxy: boolean
  readonly allowedOrigins: readonly string[]
  readonly keyFile: string | undefined
  readonly certificateFile: string | undefined
}

const file = text({ lengthMax: 4096 })

const ENVIRONMENT = v.object({
  HOST: text({ lengthMax: 255 }, '127.0.0.1'),
  PORT: port(3000),
  DATA_DIR: text({ lengthMax: 4096 }, '.data'),
  DATABASE_URL: v.optional(secretUrl(['postgres:', 'postgresql:'])),
  JWT_SECRET_KEY: secret({ bytesMin: KEY_BYTES_MIN }),
  ADMIN_USERNAME: v.optional(username),
  ADMIN_PASSWORD: v.optional(
    v.pipe(
      password,
      v.transform((text) => new Secret(text)),
    ),
  ),
  SERVER_NAME: text({ lengthMax: 100 }, 'Orrery'),
  WORKERS: integer({ min: 1, max: 64 }, 2),
  MAX_SHIPS: integer({ min: 1, max: 4_000_000 }, 100_000),
  WORLD_SEED: text({ lengthMax: 64 }, 'orrery'),
  LOGIN_ATTEMPTS_PER_MINUTE: integer({ min: 1, max: 1_000_000 }, 5),
  REGISTRATIONS_PER_HOUR: integer({ min: 0, max: 1_000_000 }, 0),
  TRUST_PROXY: boolean(false),
  ALLOWED_ORIGINS: list(),
  SSL_KEYFILE: v.optional(file),
  SSL_CERTFILE: v.optional(file),
})

const COMPLETE = v.pipe(
  ENVIRONMENT,
  v.forward(
    v.partialCheck(
      [['SSL_KEYFILE'], ['SSL_CERTFILE']],
      ({ SSL_KEYFILE, SSL_CERTFILE }) =>
        (SSL_KEYFILE === undefined) === (SSL_CERTFILE === undefined),
      'must be set together with the other of SSL_KEYFILE and SSL_CERTFILE',
    ),
    ['SSL_CERTFILE'],
  ),
  v.forward(
    v.partialCheck(
      [['ADMIN_USERNAME'], ['ADMIN_PASSWORD']],
      ({ ADMIN_USERNAME, ADMIN_PASSWORD }) =>
        (ADMIN_USERNAME === undefined) === (ADMIN_PASSWORD === undefined),
      'must be set together with the other of ADMIN_USERNAME and ADMIN_PASSWORD',
    ),
    ['ADMIN_PASSWORD'],
  ),
)

/** @throws {ConfigError} with one line that names every bad or missing variable */
export function gatewayConfig(environment: Environment): Config {
  const parsed = parseConfig(COMPLETE, environment)
  return Object.freeze({
    host: parsed.HOST,
    port: parsed.PORT,
    dataDirectory: parsed.DATA_DIR,
    databaseUrl: parsed.DATABASE_URL,
    tokenKey: parsed.JWT_SECRET_KEY,
    adminUsername: parsed.ADMIN_USERNAME,
    adminPassword: parsed.ADMIN_PASSWORD,
    serverName: parsed.SERVER_NAME,
    workers: parsed.WORKERS,
    shipsMax: parsed.MAX_SHIPS,
    worldSeed: parsed.WORLD_SEED,
    loginAttemptsPerMinute: parsed.LOGIN_ATTEMPTS_PER_MINUTE,
    registrationsPerHour: parsed.REGISTRATIONS_PER_HOUR,
    trustProxy: parsed.TRUST_PROXY,
    allowedOrigins: parsed.ALLOWED_ORIGINS,
    keyFile: parsed.SSL_KEYFILE,
    certificateFile: parsed.SSL_CERTFILE,
  })
}
