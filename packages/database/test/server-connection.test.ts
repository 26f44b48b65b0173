// Goal: a PostgreSQL server by URL works like the embedded database, and its URL stays a secret.
// Method: a real server; everything printable of handles and errors is searched for the password.
import { openFreshDatabase } from '@orrery/testkit'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, DatabaseError, migrate, openDatabase } from '../src/index.ts'

const { sql, url: serverUrl, close } = await openFreshDatabase({ schema: 'public' })
const { password } = new URL(serverUrl)
afterAll(close)

function open(url: string, schema = 'game'): Promise<Database> {
  return openDatabase({ url, directory: '', schema })
}

function printed(value: unknown): string {
  const shown = inspect(value, { depth: 20, showHidden: true, getters: true })
  return `${shown} ${String(value)} ${JSON.stringify(value)}`
}

async function refusal(url: string, schema?: string): Promise<DatabaseError> {
  const outcome = await open(url, schema).catch((error: unknown) => error)
  if (outcome instanceof DatabaseError) return outcome
  throw new Error('it opened, or failed with a foreign error')
}

describe('a PostgreSQL server', () => {
  it('gives each service its schema, also when several start at once', async () => {
    const schemas = ['game', 'game', 'game', 'design_sessions']
    const databases = await Promise.all(schemas.map((schema) => open(serverUrl, schema)))
    const current = databases.map(async ({ sql }) => {
      const [row] = await sql`select current_schema() as schema`
      return row?.['schema']
    })
    expect(await Promise.all(current)).toEqual(schemas)
    expect(databases.map(({ kind }) => kind)).toEqual(schemas.map(() => 'server'))
    await Promise.all(databases.map(({ close }) => close()))
  })

  it('prints its password in no handle and no error', async () => {
    const database = await open(serverUrl)
    expect(printed(database)).not.toContain(password)
    const failure = await database.sql`select * from nowhere`.catch((error: unknown) => error)
    expect(printed(failure)).toContain('nowhere')
    expect(printed(failure)).not.toContain(password)
    await database.close()
    const late = await database.sql`select 1`.catch((error: unknown) => error)
    expect(printed(late)).toContain('CONNECTION_ENDED')
    expect(printed(late)).not.toContain(password)
  })

  it('refuses wrong users, names and encryption by code alone', async () => {
    const wrong = serverUrl.replace(password, 'not-the-secret')
    for (const url of [wrong, `${serverUrl}-nowhere`, `${serverUrl}?sslmode=require`]) {
      const error = await refusal(url)
      expect(error.code).toBe('ERR_DATABASE_UNREACHABLE')
      expect(printed(error)).not.toMatch(/secret|captain/u)
    }
  })
})

describe('an unusable URL', () => {
  const credentials = 'captain:not-the-secret'
  const cases = [
    [`postgres://${credentials}@127.0.0.1:1/game`, 'ERR_DATABASE_UNREACHABLE'],
    [`postgres://${credentials}@nowhere.invalid/game`, 'ERR_DATABASE_UNREACHABLE'],
    [`postgres://${credentials}@[127.0.0.1/game`, 'ERR_DATABASE_URL'],
    [`postgres://${credentials}@127.0.0.1:port/game`, 'ERR_DATABASE_URL'],
    [`mysql://${credentials}@127.0.0.1/game`, 'ERR_DATABASE_URL'],
    [`${credentials}@127.0.0.1`, 'ERR_DATABASE_URL'],
    ['', 'ERR_DATABASE_URL'],
  ]
  it.each(cases)('is refused, and the error does not contain it (%#)', async (url, code) => {
    const error = await refusal(url)
    expect(error.code).toBe(code)
    expect(printed(error)).not.toMatch(/secret|captain/u)
  })

  it('is not reported before an unusable schema name', async () => {
    const opening = openDatabase({ directory: '', schema: 'Game; drop' })
    await expect(opening).rejects.toMatchObject({ code: 'ERR_DATABASE_SCHEMA' })
  })
})

describe('a role', () => {
  const name = `guest_${randomBytes(4).toString('hex')}`
  const own = new URL(serverUrl)
  own.username = name
  afterAll(() => sql.unsafe(`drop owned by ${name}; drop role ${name}`))
  beforeAll(() =>
    sql.unsafe(`create role ${name} login password '${password}'; create schema locked`),
  )

  it('that may not create or use its schema is named with the remedy', async () => {
    const missing = await refusal(own.href, 'missing')
    expect(missing.message).toMatch(
      /may not create it.*"create schema missing authorization ROLE"/u,
    )
    const locked = await refusal(own.href, 'locked')
    expect(locked.message).toMatch(
      /may not use it.*"grant usage, create on schema locked to ROLE"/u,
    )
    for (const { code } of [missing, locked]) expect(code).toBe('ERR_DATABASE_SCHEMA')
  })

  it('that may not create tables fails the migration in one line', async () => {
    await sql.unsafe(`grant usage on schema locked to ${name}`)
    const database = await open(own.href, 'locked')
    const migrations = new URL('../../store/migrations/', import.meta.url)
    await expect(migrate(database, migrations)).rejects.toMatchObject({
      code: 'ERR_MIGRATION_FAILED',
      message: expect.stringMatching(/^The table of migrations fails: .*locked.* \(42501\)\.$/u),
    })
    await database.close()
  })

  it('that only reads is refused, but for reading', async () => {
    await sql.unsafe(`alter role ${name} set default_transaction_read_only = on`)
    expect((await refusal(own.href, 'locked')).message).toMatch(/default_transaction_read_only/u)
    const options = { url: own.href, directory: '', schema: 'locked', readOnly: true }
    await (await openDatabase(options)).close()
  })
})

describe('what stands in front of a server is named:', () => {
  it('a server without TLS, where the URL asks for it', async () => {
    const { message } = await refusal(`${serverUrl}?sslmode=require`)
    expect(message).toMatch(/asks for TLS, which the server does not offer/u)
    await (await open(`${serverUrl}?sslmode=prefer`)).close()
  })

  it('a pooler that refuses the settings of a session', async () => {
    const text = 'SERROR\0VERROR\0C08P01\0Munsupported startup parameter: search_path\0\0'
    const size = Buffer.alloc(4)
    size.writeInt32BE(text.length + 4)
    const pooler = await startPooler((socket) => socket.end(`E${size.toString('latin1')}${text}`))
    const { message } = await refusal(pooler.url)
    expect(message).toMatch(/pooler in front.*connect directly.*session mode.*\(08P01\)/u)
    pooler.close()
  })

  it('a pooler that drops them', async () => {
    const pooler = await startPooler((socket, startup) => {
      const server = connect(Number(new URL(serverUrl).port), '127.0.0.1')
      server.write(withoutSearchPath(startup))
      server.pipe(socket).pipe(server)
    })
    expect((await refusal(pooler.url)).message).toMatch(/pooler.*drops.*search_path.*session mode/u)
    pooler.close()
  })
})

/** A server in front of the real one, called with the first message of each connection. */
async function startPooler(
  answer: (socket: Socket, startup: Buffer) => void,
): Promise<{ readonly url: string; close(): void }> {
  const pooler = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (startup: Buffer) => answer(socket, startup))
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const url = new URL(serverUrl)
  url.port = String((pooler.address() as AddressInfo).port)
  return { url: url.href, close: () => void pooler.close() }
}

/** A startup message: its length, the version of the protocol, then names and values. */
function withoutSearchPath(startup: Buffer): Buffer {
  const names = startup.toString('latin1', 8).replace(/search_path\0[^\0]*\0/u, '')
  const message = Buffer.concat([startup.subarray(0, 8), Buffer.from(names, 'latin1')])
  message.writeInt32BE(message.length)
  return message
}
