// Goal: a PostgreSQL server by URL works like the embedded database, and its URL stays a secret.
// Method: a real server; everything printable of handles and errors is searched for the password.
import { openFreshDatabase } from '@orrery/testkit'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, DatabaseError, openDatabase } from '../src/index.ts'

const { url: serverUrl, close } = await openFreshDatabase({ schema: 'public' })
const { password } = new URL(serverUrl)
afterAll(close)

function open(url: string, schema = 'game'): Promise<Database> {
  return openDatabase({ url, directory: '', schema })
}

function printed(value: unknown): string {
  const shown = inspect(value, { depth: 20, showHidden: true, getters: true })
  return `${shown} ${String(value)} ${JSON.stringify(value)}`
}

async function refusal(url: string): Promise<DatabaseError> {
  const outcome = await open(url).catch((error: unknown) => error)
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
