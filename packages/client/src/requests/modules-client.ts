import {
  type ModuleStateResponse,
  type ModuleValues,
  type ModulesResponse,
  api,
} from '@orrery/protocol'
import { createCall } from './call.ts'
import { type ExchangeOptions, createExchange } from './exchange.ts'

/** Rules of the game's own: what they keep of one's ship, and their commands. */
export interface ModulesClient {
  list(): Promise<ModulesResponse>
  read(): Promise<ModuleStateResponse>
  /** what is kept after it */
  command(module: string, command: string, values?: ModuleValues): Promise<ModuleStateResponse>
}

/** @param options  of the server, with a player's token */
export function createModulesClient({
  token,
  ...options
}: ExchangeOptions & { readonly token: string }): ModulesClient {
  const call = createCall(createExchange(options), { token })
  return {
    list: () => call(api.listModules),
    read: () => call(api.readModules),
    command: (module, command, values = {}) => call(api.commandModule, { module, command, values }),
  }
}
