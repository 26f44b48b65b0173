// Goal: an environment makes a frozen configuration or one line that names every reason, and no
// secret can be seen in either.
// Method: environments good and bad through parseConfig; all printed forms searched for
// the secrets.
import { inspect } from 'node:util'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  ConfigError,
  Secret,
  boolean,
  integer,
  list,
  oneOf,
  parseConfig,
  port,
  secret,
  secretUrl,
  text,
  url,
} from '../src/index.ts'

const schema = v.object({
  HOST: text({ lengthMax: 255 }, '127.0.0.1'),
  PORT: port(3000),
  WORKERS: integer({ min: 1, max: 64 }, 2),
  TRUST_PROXY: boolean(false),
  ALLOWED_ORIGINS: list(),
  PUBLIC_URL: v.optional(url(['https:'])),
  DATABASE_URL: v.optional(secretUrl(['postgres:', 'postgresql:'])),
  JWT_SECRET_KEY: secret({ bytesMin: 32 }),
})
const KEY = 'k3y-that-must-not-be-seen-anywhere-at-all'
const DATABASE_URL = 'postgres://orrery:hunter2hunter2@localhost/game'

function refusal(environment: Record<string, string | undefined>): string {
  try {
    parseConfig(schema, environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

test('unset variables get their defaults, set ones their values', () => {
  const defaults = parseConfig(schema, { JWT_SECRET_KEY: KEY, HOST: undefined, OTHER: 'ignored' })
  expect({ ...defaults, JWT_SECRET_KEY: defaults.JWT_SECRET_KEY.reveal() }).toEqual({
    HOST: '127.0.0.1',
    PORT: 3000,
    WORKERS: 2,
    TRUST_PROXY: false,
    ALLOWED_ORIGINS: [],
    JWT_SECRET_KEY: KEY,
  })
  const given = parseConfig(schema, {
    JWT_SECRET_KEY: KEY,
    PORT: '0',
    WORKERS: '64',
    TRUST_PROXY: '1',
    ALLOWED_ORIGINS: ' https://a.example ,, https://b.example',
    PUBLIC_URL: 'https://orrery.example/x',
    DATABASE_URL,
  })
  expect(given).toMatchObject({ PORT: 0, WORKERS: 64, TRUST_PROXY: true })
  expect(given.ALLOWED_ORIGINS).toEqual(['https://a.example', 'https://b.example'])
  expect(given.PUBLIC_URL).toBe('https://orrery.example/x')
  expect(given.DATABASE_URL?.reveal()).toBe(DATABASE_URL)
})

test('a database may be of several hosts, whatever its password', () => {
  const hosts = 'postgres://orrery:a,b@one:5432,two:5433,three/game?sslmode=require'
  const given = parseConfig(schema, { JWT_SECRET_KEY: KEY, DATABASE_URL: hosts })
  expect(given.DATABASE_URL?.reveal()).toBe(hosts)
})

describe('an empty variable', () => {
  const others = Object.keys(schema.entries).filter((name) => name !== 'JWT_SECRET_KEY')
  test.each(others)('counts as not set: %s', (name) => {
    const unset = parseConfig(schema, { JWT_SECRET_KEY: KEY })
    expect(parseConfig(schema, { JWT_SECRET_KEY: KEY, [name]: '' })).toEqual(unset)
  })
  test('is missing where one is needed', () => {
    const needed = v.object({ PLACE: text({ lengthMax: 9 }) })
    expect(() => parseConfig(needed, { PLACE: '' })).toThrow('PLACE is missing')
  })
  test.each(['API_KEY', 'ADMIN_PASSWORD', 'METRICS_TOKEN'])('is refused: %s', (name) => {
    const optional = v.object({ [name]: v.optional(secret({ bytesMin: 1 })) })
    expect(parseConfig(optional, {})).toEqual({})
    expect(() => parseConfig(optional, { [name]: '' })).toThrow(`${name} must be at least 1 bytes`)
  })
})

test('the configuration and its lists are frozen', () => {
  const config = parseConfig(schema, { JWT_SECRET_KEY: KEY, ALLOWED_ORIGINS: 'a' })
  expect(Object.isFrozen(config)).toBe(true)
  expect(Object.isFrozen(config.ALLOWED_ORIGINS)).toBe(true)
})

test('the error has a name and a code', () => {
  const parse = (): object => parseConfig(schema, {})
  expect(parse).toThrow(expect.objectContaining({ name: 'ConfigError', code: 'bad_config' }))
})

test('every reason is in one line', () => {
  const message = refusal({ PORT: '70000', WORKERS: 'many\nmore', TRUST_PROXY: 'yes', HOST: '\n' })
  expect(message).toBe(
    'Bad configuration: ' +
      'HOST must be 1 to 255 characters, none of them a control character; ' +
      'PORT must be an integer from 0 to 65535, not "70000"; ' +
      'WORKERS must be an integer from 1 to 64, not "many\\nmore"; ' +
      'TRUST_PROXY must be true, false, 1 or 0, not "yes"; ' +
      'JWT_SECRET_KEY is missing',
  )
  expect(message).not.toContain('\n')
})

describe('a bad value is refused', () => {
  test.each([
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '1e3'],
    ['PORT', ' 3000'],
    ['PORT', '0x10'],
    ['WORKERS', '0'],
    ['WORKERS', '9'.repeat(400)],
    ['TRUST_PROXY', 'TRUE'],
    ['PUBLIC_URL', 'http://orrery.example'],
    ['DATABASE_URL', 'mysql://u:hunter2hunter2@h/d'],
    ['DATABASE_URL', 'postgres://u:hunter2hunter2@h:1,k:2:3@/d'],
    ['JWT_SECRET_KEY', ''],
    ['JWT_SECRET_KEY', 'x'.repeat(31)],
    ['HOST', 'a\u0000b'],
  ])('%s=%.20j', (name, value) => {
    expect(refusal({ JWT_SECRET_KEY: KEY, [name]: value })).toMatch(
      new RegExp(`^Bad configuration: ${name} must be [^;]+$`),
    )
  })
  test('bytes of a secret are counted, not characters', () => {
    expect(refusal({ JWT_SECRET_KEY: 'é'.repeat(15) })).toContain('at least 32 bytes')
    expect(refusal({ JWT_SECRET_KEY: 'é'.repeat(16) })).toBe('accepted')
  })
  test('a check over several variables has its own message', () => {
    const pair = v.pipe(
      v.object({ KEY: v.optional(v.string()), CERT: v.optional(v.string()) }),
      v.forward(
        v.check((it) => (it.KEY === undefined) === (it.CERT === undefined), 'must come with KEY'),
        ['CERT'],
      ),
    )
    expect(() => parseConfig(pair, { KEY: 'a' })).toThrow(
      'Bad configuration: CERT must come with KEY',
    )
  })
})

test('a secret is seen neither in a refusal nor in any printed form', () => {
  const shown = [
    refusal({ JWT_SECRET_KEY: 'tooshort-s3cret', DATABASE_URL: 'mysql://u:hunter2hunter2@h/d' }),
  ]
  const config = parseConfig(schema, { JWT_SECRET_KEY: KEY, DATABASE_URL })
  const both = [config, config.JWT_SECRET_KEY, new Error('x', { cause: config })]
  for (const value of both) {
    shown.push(inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value))
  }
  shown.push(
    config.JWT_SECRET_KEY.toString(),
    [config.JWT_SECRET_KEY].join(),
    Object.entries(config.JWT_SECRET_KEY).join(),
  )
  for (const line of shown) {
    expect(line).not.toMatch(/tooshort-s3cret|hunter2|k3y-that/)
  }
  expect(JSON.stringify({ a: new Secret('x') })).toBe('{"a":"[redacted]"}')
})

test('one of some words is taken as it is, and any other is refused with their list', () => {
  const words = v.object({ LEVEL: oneOf(['info', 'warn'], 'info') })
  expect(parseConfig(words, {})).toEqual({ LEVEL: 'info' })
  expect(parseConfig(words, { LEVEL: 'warn' })).toEqual({ LEVEL: 'warn' })
  expect(() => parseConfig(words, { LEVEL: 'wa' })).toThrow(/LEVEL .*one of info, warn/)
})
