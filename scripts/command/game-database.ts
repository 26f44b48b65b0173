/** The database of a game, as commands open it. */
import { type Database, openDatabase } from '@orrery/database'
import { type WorldConfig, worldConfig } from '@orrery/gateway'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './run.ts'

/** The environment of the server, `.env` included. @throws {ConfigError} */
export function environmentConfig(): WorldConfig {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return worldConfig(process.env)
}

/**
 * Opens the database that the server uses.
 *
 * @param readOnly  only read it, while a server may own the world; `joined` as in `openDatabase`
 * @param isNew     make it when there is none
 * @throws {DatabaseError | CommandError} `ERR_DATABASE_OWNED` naming the server that uses it;
 *   when no database exists
 */
export async function openGameDatabase(
  { dataDirectory, databaseUrl }: WorldConfig,
  { readOnly, isNew = false }: { readonly readOnly: boolean | 'joined'; readonly isNew?: boolean },
): Promise<Database> {
  const directory = join(dataDirectory, 'game')
  if (databaseUrl === undefined && !isNew && !existsSync(directory)) {
    throw new CommandError(
      `There is no database in ${directory}; DATA_DIR or DATABASE_URL says so.`,
    )
  }
  return openDatabase({
    ...(databaseUrl && { url: databaseUrl.reveal() }),
    directory,
    schema: 'game',
    ...(readOnly === false ? { exclusive: true } : { readOnly }),
  })
}
