// Goal: a server that cannot run as configured refuses to start, with one line that has the reason
// and no secret, and before it touches anything where the environment alone is wrong. Method: one
// error at a time, in this process; for some also exit code and both outputs of the real one.
import { openDatabase } from '@orrery/database'
import { COMMIT, ConfigError, VERSION } from '@orrery/http'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { type PostgresServer, startPostgresServer } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { accounts } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentHelp, gatewayConfig } from '../../src/config.ts'
import {
  ADMIN,
  MAIN,
  type Refusal,
  type ServerEnvironment,
  dataDirectory,
  environment,
  refusedStart,
  startRefusal,
} from '../server-process.ts'

const directory = dataDirectory()

afterAll(() => directory.remove())

/** The one line on stderr, of an end with code 1 and nothing on stdout. */
function reasonOf({ code, stdout, stderr }: Refusal): string {
  const oneLine = expect.stringMatching(/^.+\n$/)
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: oneLine })
  return stderr.trimEnd()
}

interface Wrong {
  readonly name: string
  readonly variables: ServerEnvironment
  /** variables the line must name */
  readonly names: readonly string[]
  /** text that the line must not have */
  readonly secret?: string
  /** the environment is valid by itself */
  readonly isOutside?: boolean
}

const SHORT_KEY = 'k3y-0f-31-bytes-'.padEnd(31, 'z')
const WIDE_SHORT_KEY = `${'\u00e4'.repeat(15)}z`
const SHORT_PASSWORD = 'sh0rt-1'
const SHORT_TOKEN = 'm3trics-t0ken-x'

/** A variable's bad value; the line must name the variable. */
function bad(name: string, variable: string, value: string): Wrong {
  return { name, variables: { [variable]: value }, names: [variable] }
}

/** A bad value that is a secret; the line must have `reason`. */
function badSecret(name: string, variable: string, value: string, reason: string): Wrong {
  return { ...bad(name, variable, value), names: [variable, reason], secret: value }
}

const WRONG: readonly Wrong[] = [
  { name: 'no key', variables: { JWT_SECRET_KEY: undefined }, names: ['JWT_SECRET_KEY'] },
  { name: 'an empty key', variables: { JWT_SECRET_KEY: '' }, names: ['JWT_SECRET_KEY', '32'] },
  ...[SHORT_KEY, WIDE_SHORT_KEY].map((key) =>
    badSecret(`a key of 31 bytes and ${key.length} characters`, 'JWT_SECRET_KEY', key, '32'),
  ),
  {
    name: 'a host that is not ours',
    variables: { HOST: '203.0.113.1' },
    names: ['HOST', 'cannot listen'],
    isOutside: true,
  },
  bad('standing by without a server of PostgreSQL', 'STANDBY', 'true'),
  bad('a gateway without a server of PostgreSQL', 'ROLES', 'gateway'),
  bad('an unknown role', 'ROLES', 'broker'),
  bad('an address that is no URL', 'HOST_ADDRESS', 'h1:3000'),
  bad('a bus of another protocol', 'NATS_URL', 'http://127.0.0.1:4222'),
  ...['NATS_CREDENTIALS', 'NATS_CA', 'NATS_CERTFILE', 'NATS_KEYFILE'].map((name) =>
    bad(`a line break in ${name}`, name, 'two\nlines'),
  ),
  bad('a port that is no number', 'PORT', 'http'),
  bad('a port beyond 65535', 'PORT', '65536'),
  bad('a line break in its directory', 'DATA_DIR', 'two\nlines'),
  bad('a line break in its name', 'SERVER_NAME', 'two\nlines'),
  bad('no workers', 'WORKERS', '0'),
  bad('half a worker', 'WORKERS', '1.5'),
  bad('room for no ship', 'MAX_SHIPS', '0'),
  bad('a seed of 65 characters', 'WORLD_SEED', 'x'.repeat(65)),
  bad('a journal of no number of hours', 'JOURNAL_HOURS', 'all'),
  bad('orders that may be flown ahead', 'ORDERS_FLOWN_AHEAD', 'maybe'),
  bad('a past of half a flight', 'PAST_FLIGHTS', '0.5'),
  bad('a flight in a megabyte', 'PAST_FLIGHT_MB', '1'),
  bad('backups of which none is kept', 'BACKUPS_KEPT', '0'),
  bad('no login', 'LOGIN_ATTEMPTS_PER_MINUTE', '0'),
  bad('fewer than no registrations', 'REGISTRATIONS_PER_HOUR', '-1'),
  bad('fewer than no invitations', 'INVITED_PER_PLAYER', '-1'),
  bad('an account without room for a ship', 'SHIPS_PER_PLAYER', '0'),
  bad('accounts gone before they are made', 'UNFLOWN_ACCOUNT_DAYS', '-1'),
  bad('no socket', 'SOCKETS_MAX', '0'),
  bad('fewer than no sockets of an address', 'SOCKETS_PER_ADDRESS', '-1'),
  bad('no handshake', 'HANDSHAKES_PER_MINUTE', 'none'),
  bad('a budget of nothing', 'FRAME_BUDGET', '0'),
  bad('a budget of JSON frames of nothing', 'JSON_BUDGET', '0'),
  bad('a host with a scheme', 'ALLOWED_HOSTS', 'https://play.example'),
  bad('a proxy that may be there', 'TRUST_PROXY', 'maybe'),
  bad('an origin without a scheme', 'ALLOWED_ORIGINS', 'https://a.example, b.example'),
  bad('an origin with a path', 'ALLOWED_ORIGINS', 'https://a.example/play'),
  bad('any origin', 'ALLOWED_ORIGINS', '*'),
  badSecret('a token for metrics of 15 bytes', 'METRICS_TOKEN', SHORT_TOKEN, '16'),
  ...['m3trics,t0ken-of-two', 'm3trics t0ken-of-two', `m3trics-t0ken-${'\u00e4'.repeat(4)}`].map(
    (token) => badSecret(`a token for metrics like ${token}`, 'METRICS_TOKEN', token, 'ASCII'),
  ),
  bad('a negative space', 'DISK_FREE_MIN_MB', '-1'),
  bad('a loud log', 'LOG_LEVEL', 'loud'),
  bad('a branch in place of a commit', 'ORRERY_COMMIT', 'main'),
  {
    name: 'a key file without its certificate',
    variables: { SSL_KEYFILE: 'key.pem' },
    names: ['SSL_KEYFILE', 'SSL_CERTFILE'],
  },
  {
    name: 'an issuer without the URL of its keys',
    variables: { SIGN_IN_ISSUER: 'https://people.example', SIGN_IN_AUDIENCE: 'orrery' },
    names: ['SIGN_IN_ISSUER', 'SIGN_IN_KEYS_URL'],
  },
  bad('keys of no URL', 'SIGN_IN_KEYS_URL', 'people.example'),
  {
    name: 'a certificate without its key file',
    variables: { SSL_CERTFILE: 'certificate.pem' },
    names: ['SSL_KEYFILE', 'SSL_CERTFILE'],
  },
  {
    name: 'TLS files that are not there',
    variables: { SSL_KEYFILE: 'absent-key.pem', SSL_CERTFILE: 'absent-certificate.pem' },
    names: ['SSL_', 'ENOENT'],
    secret: 'absent-key',
    isOutside: true,
  },
  {
    name: 'a module that is not there',
    variables: { MODULES: 'absent-module.ts' },
    names: ['MODULES', 'absent-module.ts', 'ENOENT'],
    isOutside: true,
  },
  {
    name: 'ship classes that are not there',
    variables: { SHIP_CLASSES: 'absent-classes.json' },
    names: ['SHIP_CLASSES', 'absent-classes.json', 'ENOENT'],
    isOutside: true,
  },
  {
    name: 'a core that is not there',
    variables: { CARRIED_CORE: 'absent-core' },
    names: ['CARRIED_CORE', 'absent-core', 'ENOENT'],
    isOutside: true,
  },
  bad('an invalid name of the admin', 'ADMIN_USERNAME', 'the chief'),
  badSecret("an admin's password of seven characters", 'ADMIN_PASSWORD', SHORT_PASSWORD, '8'),
  {
    name: 'an admin without a password',
    variables: { ADMIN_PASSWORD: undefined },
    names: ['ADMIN_PASSWORD'],
  },
  bad("an admin's empty password", 'ADMIN_PASSWORD', ''),
  bad('an empty token for metrics', 'METRICS_TOKEN', ''),
  {
    name: 'a database of another kind',
    variables: { DATABASE_URL: 'mysql://chief:hidden-word@localhost/game' },
    names: ['DATABASE_URL'],
    secret: 'hidden-word',
  },
  {
    name: 'several things wrong at once',
    variables: { JWT_SECRET_KEY: SHORT_KEY, PORT: 'x', TRUST_PROXY: 'maybe' },
    names: ['JWT_SECRET_KEY', 'PORT', 'TRUST_PROXY'],
    secret: SHORT_KEY,
  },
]

/** All variables, in the order of the help. */
const NAMES = [...environmentHelp().matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name)

test('every variable has a bad value here and a meaning in the help', () => {
  const tried = new Set(WRONG.flatMap(({ variables }) => Object.keys(variables)))
  expect(NAMES.filter((name) => !tried.has(name))).toEqual([])
  const explained = /^ {2}([A-Z_]+) +\S+ +\S.*$/gm
  expect([...environmentHelp().matchAll(explained)].map(([, name]) => name)).toEqual(NAMES)
})

test('a commit that is given goes before the one of the clone', () => {
  const needed = { JWT_SECRET_KEY: 'a-key-of-at-least-32-bytes-for-this' }
  expect(gatewayConfig({ ...needed, ORRERY_COMMIT: '0123abcd' }).commit).toBe('0123abcd')
  expect(gatewayConfig(needed).commit).toBe(COMMIT)
})

test('a key of 32 bytes in 16 characters is enough', () => {
  const key = '\u00e4'.repeat(16)
  expect(gatewayConfig({ JWT_SECRET_KEY: key }).tokenKey.reveal()).toBe(key)
})

test('an empty variable counts as not set, unless it is a secret', () => {
  const secrets = new Set(['JWT_SECRET_KEY', 'ADMIN_PASSWORD', 'METRICS_TOKEN'])
  const empty = NAMES.filter((name) => !secrets.has(name)).map((name) => [name, ''] as const)
  const needed = { JWT_SECRET_KEY: 'a-key-of-at-least-32-bytes-for-this' }
  expect(gatewayConfig({ ...Object.fromEntries(empty), ...needed })).toEqual(gatewayConfig(needed))
})

test('a printed configuration has no secret', () => {
  const secrets = {
    JWT_SECRET_KEY: 'printed-key-of-more-than-32-bytes',
    ADMIN_PASSWORD: 'printed-password',
    DATABASE_URL: 'postgres://chief:printed-word@localhost/game',
    METRICS_TOKEN: 'printed-metrics-token',
    SSL_KEYFILE: 'printed-place/key.pem',
  }
  const config = gatewayConfig({ ...secrets, ADMIN_USERNAME: 'Chief', SSL_CERTFILE: 'c.pem' })
  for (const printed of [inspect(config, { depth: 9 }), JSON.stringify(config)]) {
    expect(printed).toContain('Chief')
    expect(printed).not.toContain('printed-')
  }
})

test('arguments are refused, but --help, which lists all variables, and --version', async () => {
  const nowhere = `${directory.path}-of-help`
  const key = 'argument-that-may-be-a-secret-of-someone'
  const refused = await refusedStart(environment(nowhere, {}), [`JWT_SECRET_KEY=${key}`])
  expect(reasonOf(refused)).toMatch(/^Cannot start: .*--help/)
  expect(refused.stderr).not.toContain(key)
  expect(existsSync(nowhere)).toBe(false)
  if (!IS_NIGHT) return
  for (const argument of ['--help', '-h']) {
    const { code, stdout, stderr } = await refusedStart({}, [argument])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim()).toBe(environmentHelp().trim())
  }
  const version = await refusedStart({}, ['--version'])
  expect(version).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

/** What a line must have and must not. */
function expectReason(reason: string, wrong: Wrong, variables: ServerEnvironment): void {
  for (const name of wrong.names) expect(reason).toContain(name)
  const { secret = ADMIN.password } = wrong
  for (const hidden of [secret, variables['JWT_SECRET_KEY'] || 'no key', ADMIN.password]) {
    expect(reason).not.toContain(hidden)
  }
}

describe('a configuration with', () => {
  test.each(WRONG.filter(({ isOutside }) => !isOutside))('$name is refused', (wrong) => {
    const variables = environment(directory.path, wrong.variables)
    let reason: unknown
    try {
      gatewayConfig(variables)
    } catch (error) {
      reason = error
    }
    expect(reason).toBeInstanceOf(ConfigError)
    const { message } = reason as ConfigError
    expect(message).not.toContain('\n')
    expectReason(message, wrong, variables)
  })
})

describe('a start with', () => {
  test.each(WRONG.filter(({ isOutside }) => isOutside))(
    '$name is refused before anything is done',
    async (wrong) => {
      const untouched = `${directory.path}-of-${WRONG.indexOf(wrong)}`
      const variables = environment(untouched, wrong.variables)
      expectReason(await startRefusal(variables), wrong, variables)
      expect(existsSync(untouched)).toBe(false)
    },
  )

  const some = ['several', 'a key of 31', 'TLS files']
  const tried = WRONG.filter(({ name }) => some.some((start) => name.startsWith(start)))
  // By day the start with an argument does.
  test.runIf(IS_NIGHT).each(tried)('$name prints one line and ends with 1', async (wrong) => {
    const untouched = `${directory.path}-at-${WRONG.indexOf(wrong)}`
    const variables = environment(untouched, wrong.variables)
    expectReason(reasonOf(await refusedStart(variables)), wrong, variables)
    expect(existsSync(untouched)).toBe(false)
  })
})

test('a data directory that is a file is refused', async () => {
  const file = join(directory.path, '..', 'file')
  writeFileSync(file, 'not a directory')
  expect(await startRefusal(environment(file, {}))).toContain(file)
})

test('a database that does not answer is refused, without its password', async () => {
  const url = 'postgres://chief:hidden-word@127.0.0.1:1/game'
  const reason = await startRefusal(environment(`${directory.path}-pg`, { DATABASE_URL: url }))
  expect(reason).not.toContain('hidden-word')
  expect(reason).toContain('PostgreSQL')
})

describe('with a world', () => {
  let variables: ServerEnvironment
  let postgres: PostgresServer

  // At night the first start makes it.
  beforeAll(async () => {
    postgres = await (IS_NIGHT ? startPostgresServer() : startGamePostgres(MAIN))
    variables = environment(directory.path, { DATABASE_URL: postgres.url })
  })

  afterAll(() => postgres.stop())

  test('one without an admin does not open', async () => {
    const none = { ADMIN_USERNAME: undefined, ADMIN_PASSWORD: undefined }
    const reason = await startRefusal({ ...variables, ...none })
    for (const name of Object.keys(none)) expect(reason).toContain(name)
  })

  test("a player's name is refused for the admin, whatever its case", async () => {
    const database = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
    await accounts(database.sql).create({
      playerId: randomUUID(),
      username: 'Pilot_1',
      passwordHash: 'none',
      isAdmin: false,
      shipId: randomUUID(),
    })
    await database.close()
    const reason = await startRefusal({ ...variables, ADMIN_USERNAME: 'pILOT_1' })
    expect(reason).toContain('ADMIN_USERNAME pILOT_1')
    expect(reason).not.toContain(ADMIN.password)
  })

  test('a port that is taken is refused by its number', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => {
      holder.listen(0, '127.0.0.1', resolve)
    })
    const { port } = holder.address() as AddressInfo
    expect(await startRefusal({ ...variables, PORT: String(port) })).toContain(String(port))
    holder.close()
  })
})

test('a directory that is open is refused by its path', async () => {
  const database = await openDatabase({ directory: join(directory.path, 'game'), schema: 'game' })
  const reason = await startRefusal(environment(directory.path, {}))
  await database.close()
  expect(reason).toContain(directory.path)
})
