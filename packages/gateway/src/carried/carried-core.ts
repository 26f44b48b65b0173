import type { CarriedCore, GivenShips } from '@orrery/game'
import { StartError, errorText } from '@orrery/http'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { CARRIED_DIRECTORY, CARRIED_PROGRAM, readCarriedFile } from './carried-file.ts'
import { CarriedFollower } from './carried-follower.ts'

type CarriedConfig = Pick<
  Config,
  'carriedCore' | 'databaseUrl' | 'dataDirectory' | 'moduleFiles' | 'shipsMax'
>

/**
 * The core of the release before, if there is one.
 *
 * @throws {StartError} where a given directory has none that this release can use
 */
export async function carriedCore(
  config: CarriedConfig,
  { modules }: Pick<GivenShips, 'modules'>,
): Promise<CarriedCore | undefined> {
  const { carriedCore: given, databaseUrl, dataDirectory: directory, ...more } = config
  if (given === undefined && !existsSync(CARRIED_DIRECTORY)) return undefined
  const found = given ?? CARRIED_DIRECTORY
  const { physics } = await readCarriedFile(found).catch((cause: unknown) => {
    throw new StartError(`CARRIED_CORE: ${errorText(cause)}`)
  })
  const { moduleFiles, shipsMax } = more
  const beginning = { databaseUrl: databaseUrl?.reveal(), directory, moduleFiles, shipsMax }
  return {
    physics,
    follower: (options) =>
      new CarriedFollower({
        ...options,
        program: join(found, CARRIED_PROGRAM),
        beginning: { kind: 'begin', ...beginning },
        room: { shipsMax, modules },
      }),
  }
}
