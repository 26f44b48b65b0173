// An embedded database with all tables, made once: making one takes seconds, and a copy none.
import { migrate, openDatabase } from '@orrery/database'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MIGRATIONS = new URL('../migrations/', import.meta.url)

/** All that a database is made of. */
const SOURCES = [
  MIGRATIONS,
  new URL('../../database/src/', import.meta.url),
  new URL('../../../pnpm-lock.yaml', import.meta.url),
].map((url) => fileURLToPath(url))

/** Puts one at a path, unless there is something already. */
export async function prepareDatabase(path: string): Promise<void> {
  if (existsSync(path)) return
  const model = join(tmpdir(), `orrery-design-sessions-${digest()}`)
  if (!existsSync(model)) await create(model)
  await cp(model, path, { recursive: true })
}

async function create(model: string): Promise<void> {
  const partial = `${model}-${randomUUID()}`
  const database = await openDatabase({ directory: partial, schema: 'design_sessions' })
  await migrate(database, MIGRATIONS)
  await database.close()
  // Another test may have been faster; then its own serves.
  await rename(partial, model).catch(() => rm(partial, { recursive: true }))
}

function digest(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const names = source.endsWith('/') ? readdirSync(source).toSorted() : ['']
    for (const name of names) hash.update(readFileSync(join(source, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
