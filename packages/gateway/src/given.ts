import type { GameModules } from '@orrery/engine/modules'
import type { GivenShips } from '@orrery/game'
import { StartError, errorText } from '@orrery/http'
import type { Config } from './config.ts'
import { givenShips } from './ship-classes-file.ts'

/**
 * The ship classes and modules of an operator's files.
 *
 * @throws {StartError} naming the file and what is wrong with it
 */
export async function given(
  config: Pick<Config, 'shipClassesFile' | 'moduleFiles'>,
): Promise<GivenShips> {
  const modules = await givenModules(config.moduleFiles)
  return { ...(await givenShips(config.shipClassesFile)), ...(modules && { modules }) }
}

/** Without any, nothing of modules is loaded. */
async function givenModules(files: readonly string[]): Promise<GameModules | undefined> {
  if (files.length === 0) return undefined
  try {
    const { loadModules } = await import('@orrery/module/load')
    return await loadModules(files)
  } catch (error) {
    throw new StartError(`MODULES: ${errorText(error)}`)
  }
}
