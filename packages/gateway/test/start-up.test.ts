// Goal: a server that cannot run as told refuses to start, with one line that says why and keeps
// every secret, and before it has touched anything where the environment alone is wrong. Method:
// the real process with one thing wrong at a time; its exit code, both outputs, its directory.
import { openDatabase } from '@orrery/database'
import { accounts } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  type Refusal,
  STARTING_TEST_MS_MAX,
  type ServerEnvironment,
  dataDirectory,
  environment,
  refusedStart,
} from './server-process.ts'

const directory = dataDirectory()

afterAll(() => directory.remove())

/** The one line on stderr, of an end with code 1 and nothing on stdout. */
function reasonOf({ code, stdout, stderr }: Refusal): string {
  const [reason, ...more] = stderr.split('\n')
  expect({ code, stdout, more }).toEqual({ code: 1, stdout: '', more: [''] })
  return reason
}

interface Wrong {
  readonly name: string
  readonly variables: ServerEnvironment
  /** variables the line must name */
  readonly names: readonly string[]
  /** what the line must not show */
  readonly secret?: string
}

const SHORT_KEY = 'k3y-0f-31-bytes-'.padEnd(31, 'z')
const SHORT_PASSWORD = 'sh0rt-1'

const WRONG: readonly Wrong[] = [
  { name: 'no key', variables: { JWT_SECRET_KEY: undefined }, names: ['JWT_SECRET_KEY'] },
  { name: 'an empty key', variables: { JWT_SECRET_KEY: '' }, names: ['JWT_SECRET_KEY', '32'] },
  {
    name: 'a key of 31 bytes',
    variables: { JWT_SECRET_KEY: SHORT_KEY },
    names: ['JWT_SECRET_KEY', '32'],
    secret: SHORT_KEY,
  },
  { name: 'a port that is no number', variables: { PORT: 'http' }, names: ['PORT'] },
  { name: 'a port beyond 65535', variables: { PORT: '65536' }, names: ['PORT'] },
  { name: 'an empty port', variables: { PORT: '' }, names: ['PORT'] },
  { name: 'no workers', variables: { WORKERS: '0' }, names: ['WORKERS'] },
  { name: 'half a worker', variables: { WORKERS: '1.5' }, names: ['WORKERS'] },
  { name: 'room for no ship', variables: { MAX_SHIPS: '0' }, names: ['MAX_SHIPS'] },
  {
    name: 'a key file without its certificate',
    variables: { SSL_KEYFILE: 'key.pem' },
    names: ['SSL_KEYFILE', 'SSL_CERTFILE'],
  },
  {
    name: 'a certificate without its key file',
    variables: { SSL_CERTFILE: 'certificate.pem' },
    names: ['SSL_KEYFILE', 'SSL_CERTFILE'],
  },
  {
    name: 'TLS files that are not there',
    variables: { SSL_KEYFILE: 'absent-key.pem', SSL_CERTFILE: 'absent-certificate.pem' },
    names: ['absent-'],
  },
  {
    name: "an admin's name that is none",
    variables: { ADMIN_USERNAME: 'the chief' },
    names: ['ADMIN_USERNAME'],
  },
  {
    name: "an admin's password of seven characters",
    variables: { ADMIN_PASSWORD: SHORT_PASSWORD },
    names: ['ADMIN_PASSWORD'],
    secret: SHORT_PASSWORD,
  },
  {
    name: 'an admin without a password',
    variables: { ADMIN_PASSWORD: undefined },
    names: ['ADMIN_PASSWORD'],
  },
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

describe.concurrent('an environment with', () => {
  test.each(WRONG)('$name is refused before anything is done', async (wrong) => {
    const untouched = `${directory.path}-of-${WRONG.indexOf(wrong)}`
    const variables = environment(untouched, wrong.variables)
    const refusal = await refusedStart(variables)
    const reason = reasonOf(refusal)
    for (const name of wrong.names) expect(reason).toContain(name)
    const { secret = ADMIN.password } = wrong
    for (const hidden of [secret, variables['JWT_SECRET_KEY'] || 'no key', ADMIN.password]) {
      expect(reason).not.toContain(hidden)
    }
    expect(existsSync(untouched)).toBe(false)
  })
})

test('a data directory that is a file is refused', async () => {
  const file = join(directory.path, '..', 'file')
  writeFileSync(file, 'not a directory')
  expect(reasonOf(await refusedStart(environment(file, {})))).toContain(file)
})

test('a database that does not answer is refused, without its password', async () => {
  const url = 'postgres://chief:hidden-word@127.0.0.1:1/game'
  const refusal = await refusedStart(environment(`${directory.path}-pg`, { DATABASE_URL: url }))
  const reason = reasonOf(refusal)
  expect(reason).not.toContain('hidden-word')
  expect(reason).toContain('PostgreSQL')
})

describe('on a directory of its own', () => {
  test(
    'a world without any admin does not open',
    async () => {
      const none = { ADMIN_USERNAME: undefined, ADMIN_PASSWORD: undefined }
      const refusal = await refusedStart(environment(directory.path, none))
      const reason = reasonOf(refusal)
      for (const name of Object.keys(none)) expect(reason).toContain(name)
    },
    STARTING_TEST_MS_MAX,
  )

  test(
    "an admin's name that a player has is refused, whatever its case",
    async () => {
      const database = await openDatabase({
        directory: join(directory.path, 'game'),
        schema: 'game',
      })
      await accounts(database.sql).create({
        playerId: randomUUID(),
        username: 'Pilot_1',
        passwordHash: 'none',
        isAdmin: false,
        shipId: randomUUID(),
      })
      await database.close()
      const taken = { ADMIN_USERNAME: 'pILOT_1' }
      const refusal = await refusedStart(environment(directory.path, taken))
      const reason = reasonOf(refusal)
      expect(reason).toContain('ADMIN_USERNAME pILOT_1')
      expect(reason).not.toContain(ADMIN.password)
    },
    STARTING_TEST_MS_MAX,
  )

  test(
    'a port that is taken is refused by its number',
    async () => {
      const holder = createServer()
      await new Promise<void>((resolve) => {
        holder.listen(0, '127.0.0.1', resolve)
      })
      const { port } = holder.address() as AddressInfo
      const refusal = await refusedStart(environment(directory.path, { PORT: String(port) }))
      expect(reasonOf(refusal)).toContain(String(port))
      holder.close()
    },
    STARTING_TEST_MS_MAX,
  )
})
