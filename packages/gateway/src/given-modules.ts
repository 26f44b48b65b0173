import type { GameModules } from '@orrery/engine/modules'
import { StartError, errorText } from '@orrery/http'

/**
 * The modules of some files. Without any, nothing of modules is loaded.
 *
 * @throws {StartError} naming the file and what is wrong with it
 */
export async function givenModules(
  files: readonly string[],
): Promise<{ readonly modules?: GameModules }> {
  if (files.length === 0) return {}
  try {
    const { loadModules } = await import('@orrery/module/load')
    return { modules: await loadModules(files) }
  } catch (error) {
    throw new StartError(`MODULES: ${errorText(error)}`)
  }
}
