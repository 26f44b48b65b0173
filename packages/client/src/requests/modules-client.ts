import { type ModuleStateResponse, type ModuleValues, api } from '@orrery/protocol'
import type { Call } from './call.ts'

/** What rules of the game's own keep of one's ship, and their commands. */
export interface ModulesClient {
  read(): Promise<ModuleStateResponse>
  /** what is kept after it */
  command(module: string, command: string, values?: ModuleValues): Promise<ModuleStateResponse>
}

export function createModulesClient(call: Call): ModulesClient {
  return {
    read: () => call(api.readModules),
    command: (module, command, values = {}) => call(api.commandModule, { module, command, values }),
  }
}
