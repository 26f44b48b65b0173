import type { GameConfig, GivenShips, SignIn } from '@orrery/game'
import {
  COMMIT,
  type Environment,
  LOG_LEVELS,
  Secret,
  boolean,
  described,
  helpText,
  integer,
  isLoopbackName,
  hostNames,
  oneOf,
  origins,
  parseConfig,
  port,
  secret,
  secretUrl,
  text,
  url,
} from '@orrery/http'
import { BUDGET_MAX, BUDGET_MIN, password, username } from '@orrery/protocol'
import * as v from 'valibot'
import type { Config } from './environment/config-values.ts'

export type { Config } from './environment/config-values.ts'

/** Bytes that the key tokens are signed with must have: 256 bits. */
const KEY_BYTES_MIN = 32

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A shorter token for metrics could be guessed. */
const METRICS_TOKEN_BYTES_MIN = 16

/** Characters that a header carries unchanged, as one token. */
const BEARER = /^[!-+\--~]+$/

const path = v.optional(text({ lengthMax: 4096 }))

const ENVIRONMENT = v.object({
  JWT_SECRET_KEY: described(
    `signs tokens (HS256), at least ${KEY_BYTES_MIN} bytes`,
    secret({ bytesMin: KEY_BYTES_MIN }),
  ),
  ADMIN_USERNAME: described('the first admin; needed at the first start', v.optional(username)),
  ADMIN_PASSWORD: described(
    'its password; never changes that of an admin who exists',
    v.optional(
      v.pipe(
        password,
        v.transform((text) => new Secret(text)),
      ),
    ),
  ),
  HOST: described('address to listen on', text({ lengthMax: 255 }, '127.0.0.1')),
  PORT: described('port to listen on; 0 lets the system choose', port(3000)),
  DATA_DIR: described(
    'the embedded database lives in its `game`, the built page in its `page`',
    text({ lengthMax: 4096 }, '.data'),
  ),
  DATABASE_URL: described(
    'a PostgreSQL server instead of the embedded one; the tables are in its schema `game`',
    v.optional(secretUrl(['postgres:', 'postgresql:'])),
  ),
  ROLES: described(
    '`gateway,host` owns the world and serves clients; `gateway` alone serves them from a mirror ' +
      'of the world that another server on the same DATABASE_URL owns',
    oneOf(['gateway,host', 'gateway'], 'gateway,host'),
  ),
  STANDBY: described(
    'follow the world of another server on the same database, and take it over when that dies',
    boolean(false),
  ),
  HOST_ADDRESS: described(
    'URL at which other servers reach this one; by default made of `HOST` and `PORT`',
    v.optional(url(['http:', 'https:'])),
  ),
  NATS_URL: described(
    'a NATS server, on which servers of one universe say sooner what the database says later',
    v.optional(secretUrl(['nats:', 'tls:'])),
  ),
  NATS_CREDENTIALS: described('file of credentials for NATS', path),
  NATS_CA: described('PEM file of the authority that signed the certificate of NATS', path),
  NATS_CERTFILE: described('PEM file of the certificate shown to NATS', path),
  NATS_KEYFILE: described('PEM file of its key', path),
  SERVER_NAME: described('shown to players', text({ lengthMax: 100 }, 'Orrery')),
  WORKERS: described('threads that fly ships', integer({ min: 1, max: 64 }, 2)),
  MAX_SHIPS: described(
    'ships there may be in all systems together',
    integer({ min: 1, max: 4_000_000 }, 100_000),
  ),
  WORLD_SEED: described(
    'decides spawn places of a new world; a stored world keeps its own',
    text({ lengthMax: 64 }, 'orrery'),
  ),
  SHIP_CLASSES: described(
    'JSON file of ship classes, as `GET /api/ship-classes` answers; a world gains those it lacks',
    v.optional(text({ lengthMax: 4096 })),
  ),
  MODULES: described(
    "files of modules, rules of a game's own, with commas between, older versions for what was " +
      'journalled by them; all servers of a world the same',
    path,
  ),
  CARRIED_CORE: described(
    'directory of the core of the release before, which flies what that one has journalled',
    v.optional(text({ lengthMax: 4096 })),
  ),
  JOURNAL_HOURS: described(
    'hours that can be replayed, at least; older commands are deleted, 0 keeps all',
    integer({ min: 0, max: 100_000 }, 24),
  ),
  ORDERS_FLOWN_AHEAD: described(
    'fly orders ahead in the background; one that would fail after burns ends before the first',
    boolean(true),
  ),
  PAST_FLIGHTS: described(
    'past moments that are flown again at once, each in a process of its own; 0 switches them off',
    integer({ min: 0, max: 64 }, 1),
  ),
  PAST_FLIGHT_MB: described(
    'megabytes of memory that each of them may take',
    integer({ min: 128, max: 1_000_000 }, 1024),
  ),
  BACKUPS_KEPT: described(
    'of the backups made on request; those of resets and restores stay until they are deleted',
    integer({ min: 1, max: 10_000 }, 14),
  ),
  SIGN_IN_ISSUER: described(
    'the `iss` of JWTs that sign in at `POST /api/auth/sign-in`, beside passwords',
    v.optional(text({ lengthMax: 1024 })),
  ),
  SIGN_IN_AUDIENCE: described('the `aud` they must have', v.optional(text({ lengthMax: 1024 }))),
  SIGN_IN_KEYS_URL: described(
    "URL of the issuer's public keys, a JWK set",
    v.optional(url(['http:', 'https:'])),
  ),
  LOGIN_ATTEMPTS_PER_MINUTE: described(
    'per address, all login routes together',
    integer({ min: 1, max: 1_000_000 }, 5),
  ),
  REGISTRATIONS_PER_HOUR: described(
    'accounts made per address; 0 is unlimited',
    integer({ min: 0, max: 1_000_000 }, 60),
  ),
  INVITED_PER_PLAYER: described(
    "registrations that one player's open invitations may be for; 0 switches them off",
    integer({ min: 0, max: 1000 }, 8),
  ),
  SHIPS_PER_PLAYER: described(
    'ships of one account, of which it flies one at a time',
    integer({ min: 1, max: 100 }, 1),
  ),
  UNFLOWN_ACCOUNT_DAYS: described(
    'days without use after which an account that never flew goes, with its ship; 0 is never',
    integer({ min: 0, max: 36_500 }, 30),
  ),
  SOCKETS_MAX: described('sockets open at once', integer({ min: 1, max: 100_000 }, 5000)),
  SOCKETS_PER_ADDRESS: described(
    'of them from one address; 0 is unlimited',
    integer({ min: 0, max: 100_000 }, 256),
  ),
  HANDSHAKES_PER_MINUTE: described(
    'sockets asked for, per address',
    integer({ min: 1, max: 1_000_000 }, 2000),
  ),
  FRAME_BUDGET: described(
    'bytes a second of binary frames to a client that asks for no other',
    integer({ min: BUDGET_MIN, max: BUDGET_MAX }, 32_768),
  ),
  JSON_BUDGET: described(
    'bytes a second of JSON frames to a client that asks for no other; frames beyond are left out',
    integer({ min: BUDGET_MIN, max: BUDGET_MAX }, BUDGET_MAX),
  ),
  TRUST_PROXY: described(
    "take the client's address from the last hop of `X-Forwarded-For`",
    boolean(false),
  ),
  ALLOWED_ORIGINS: described(
    'origins of pages that may send tokens, besides our own, comma-separated',
    origins('https://play.example'),
  ),
  ALLOWED_HOSTS: described(
    'names in `Host` besides this machine and addresses, comma-separated; ' +
      'checked where `HOST` is loopback and no proxy is trusted',
    hostNames('play.example'),
  ),
  METRICS_TOKEN: described(
    `opens \`/metrics\`, as an admin's token does; at least ${METRICS_TOKEN_BYTES_MIN} bytes`,
    v.optional(
      v.pipe(
        secret({ bytesMin: METRICS_TOKEN_BYTES_MIN }),
        v.check(
          (token) => BEARER.test(token.reveal()),
          'must be of printable ASCII characters, none of them a space or a comma',
        ),
      ),
    ),
  ),
  DISK_FREE_MIN_MB: described(
    'free megabytes on the disk of DATA_DIR below which a warning is logged; 0 is never',
    integer({ min: 0, max: 1_000_000_000 }, 1024),
  ),
  LOG_LEVEL: described(`least that is logged: ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS, 'info')),
  SSL_KEYFILE: described(
    'PEM file of the key; with `SSL_CERTFILE` it makes HTTPS and WSS',
    v.optional(secret({ bytesMin: 1 })),
  ),
  SSL_CERTFILE: described('PEM file of the certificate and its chain', path),
  ORRERY_COMMIT: described(
    'the commit that the program was made from, where there is no clone to read it from',
    v.optional(
      v.pipe(
        text({ lengthMax: 64 }),
        v.regex(/^[0-9a-f]{7,}$/, 'must be 7 to 64 hexadecimal digits'),
      ),
    ),
  ),
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
      [['SIGN_IN_ISSUER'], ['SIGN_IN_AUDIENCE'], ['SIGN_IN_KEYS_URL']],
      ({ SIGN_IN_ISSUER, SIGN_IN_AUDIENCE, SIGN_IN_KEYS_URL }) =>
        (SIGN_IN_ISSUER === undefined) === (SIGN_IN_AUDIENCE === undefined) &&
        (SIGN_IN_ISSUER === undefined) === (SIGN_IN_KEYS_URL === undefined),
      'must be set together with the others of SIGN_IN_ISSUER, SIGN_IN_AUDIENCE and ' +
        'SIGN_IN_KEYS_URL',
    ),
    ['SIGN_IN_ISSUER'],
  ),
  v.forward(
    v.partialCheck(
      [['STANDBY'], ['DATABASE_URL']],
      ({ STANDBY, DATABASE_URL }) => !STANDBY || DATABASE_URL !== undefined,
      'needs DATABASE_URL',
    ),
    ['STANDBY'],
  ),
  v.forward(
    v.partialCheck(
      [['ROLES'], ['DATABASE_URL']],
      ({ ROLES, DATABASE_URL }) => ROLES !== 'gateway' || DATABASE_URL !== undefined,
      '`gateway` alone needs DATABASE_URL',
    ),
    ['ROLES'],
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
    isHost: parsed.ROLES !== 'gateway',
    standby: parsed.STANDBY,
    hostAddress: parsed.HOST_ADDRESS,
    natsUrl: parsed.NATS_URL,
    natsFiles: {
      credentialsFile: parsed.NATS_CREDENTIALS,
      caFile: parsed.NATS_CA,
      certificateFile: parsed.NATS_CERTFILE,
      keyFile: parsed.NATS_KEYFILE,
    },
    tokenKey: parsed.JWT_SECRET_KEY,
    adminUsername: parsed.ADMIN_USERNAME,
    adminPassword: parsed.ADMIN_PASSWORD,
    serverName: parsed.SERVER_NAME,
    workers: parsed.WORKERS,
    shipsMax: parsed.MAX_SHIPS,
    worldSeed: parsed.WORLD_SEED,
    shipClassesFile: parsed.SHIP_CLASSES,
    moduleFiles: filesOf(parsed.MODULES),
    carriedCore: parsed.CARRIED_CORE,
    journalHours: parsed.JOURNAL_HOURS,
    ordersFlownAhead: parsed.ORDERS_FLOWN_AHEAD,
    pastFlightsMax: parsed.PAST_FLIGHTS,
    pastFlightBytesMax: parsed.PAST_FLIGHT_MB * 1_000_000,
    backupsKept: parsed.BACKUPS_KEPT,
    signIn: signInOf(parsed),
    loginAttemptsPerMinute: parsed.LOGIN_ATTEMPTS_PER_MINUTE,
    registrationsPerHour: parsed.REGISTRATIONS_PER_HOUR,
    invitedPerPlayer: parsed.INVITED_PER_PLAYER,
    shipsPerPlayer: parsed.SHIPS_PER_PLAYER,
    unflownKeptMs: parsed.UNFLOWN_ACCOUNT_DAYS * DAY_MS,
    socketsMax: parsed.SOCKETS_MAX,
    socketsPerAddress: parsed.SOCKETS_PER_ADDRESS,
    handshakesPerMinute: parsed.HANDSHAKES_PER_MINUTE,
    frameBudget: parsed.FRAME_BUDGET,
    jsonBudget: parsed.JSON_BUDGET,
    trustProxy: parsed.TRUST_PROXY,
    allowedOrigins: parsed.ALLOWED_ORIGINS,
    allowedHosts:
      isLoopbackName(parsed.HOST) && !parsed.TRUST_PROXY ? parsed.ALLOWED_HOSTS : undefined,
    metricsToken: parsed.METRICS_TOKEN,
    diskFreeBytesMin: parsed.DISK_FREE_MIN_MB * 1_000_000,
    logLevel: parsed.LOG_LEVEL,
    keyFile: parsed.SSL_KEYFILE,
    certificateFile: parsed.SSL_CERTFILE,
    commit: parsed.ORRERY_COMMIT ?? COMMIT,
  })
}

function signInOf({
  SIGN_IN_ISSUER: issuer,
  SIGN_IN_AUDIENCE: audience,
  SIGN_IN_KEYS_URL: keysUrl,
}: v.InferOutput<typeof ENVIRONMENT>): SignIn | undefined {
  const isSet = issuer !== undefined && audience !== undefined && keysUrl !== undefined
  return isSet ? { issuer, audience, keysUrl } : undefined
}

function filesOf(list = ''): string[] {
  return list.split(',').flatMap((file) => file.trim() || [])
}

/** The part of the environment that scripts read. */
export type WorldConfig = Pick<
  Config,
  'dataDirectory' | 'databaseUrl' | 'shipsMax' | 'moduleFiles' | 'backupsKept'
>

const WORLD = v.pick(ENVIRONMENT, [
  'DATA_DIR',
  'DATABASE_URL',
  'MAX_SHIPS',
  'MODULES',
  'BACKUPS_KEPT',
])

/** @throws {ConfigError} with one line that names every bad variable */
export function worldConfig(environment: Environment): WorldConfig {
  const parsed = parseConfig(WORLD, environment)
  return Object.freeze({
    dataDirectory: parsed.DATA_DIR,
    databaseUrl: parsed.DATABASE_URL,
    shipsMax: parsed.MAX_SHIPS,
    moduleFiles: filesOf(parsed.MODULES),
    backupsKept: parsed.BACKUPS_KEPT,
  })
}

/**
 * The part of the configuration that the game needs.
 *
 * @param ships  of the file of ship classes, and modules
 */
export function gameConfig(config: Config, ships: GivenShips = {}): GameConfig {
  const { adminUsername: username, adminPassword, ...rest } = config
  const { shipsMax, worldSeed, journalHours, backupsKept } = rest
  const password = adminPassword?.reveal()
  const admin =
    username === undefined || password === undefined ? undefined : { username, password }
  const journalMs = journalHours === 0 ? Infinity : HOUR_MS * journalHours
  return { admin, shipsMax, worldSeed, journalMs, backupsKept, ...ships }
}

/** Text of `--help`. */
export function environmentHelp(): string {
  return helpText('Serves the game', ENVIRONMENT)
}
