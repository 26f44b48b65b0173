/** The database of a game, as commands open it. */
import { type Database, openDatabase } from '@orrery/database'
import type { GameModules } from '@orrery/engine/modules'
import { type WorldConfig, worldConfig } from '@orrery/gateway'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './run.ts'

/** The environment of the server, `.env` included. @throws {ConfigError} */
export function environmentConfig(): WorldConfig {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return worldConfig(process.env)
}

/** The modules of the environment; without any, nothing of them is loaded. @throws {ModuleError} */
export async function environmentModules({
  moduleFiles,
}: Pick<WorldConfig, 'moduleFiles'>): Promise<GameModules | undefined> {
  if (moduleFiles.length === 0) return undefined
  const { loadModules } = await import('@orrery/module/load')
  return loadModules(moduleFiles)
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
  { dataDirectory, databaseUrl }: Pick<WorldConfig, 'dataDirectory' | 'databaseUrl'>,
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
