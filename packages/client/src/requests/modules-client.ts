import {
  type ModuleStateResponse,
  type ModuleValues,
  type ModulesResponse,
  api,
} from '@orrery/protocol'
import { createCall } from './call.ts'
import { type ExchangeOptions, createExchange } from './exchange.ts'

/** Modules by id, as their authors declare them, for types alone: `{ mining: typeof mining }`. */
export type DeclaredModules = Readonly<
  Record<string, { readonly commands: Readonly<Record<string, { readonly body: unknown }>> }>
>

/** What a schema takes; any values where it has no types. */
type ValuesOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: { readonly output: infer Values } | undefined }
}
  ? Values
  : ModuleValues

/** Rules of the game's own: what they keep of one's ship, and their commands. */
export interface ModulesClient<Game extends DeclaredModules = DeclaredModules> {
  list(): Promise<ModulesResponse>
  read(): Promise<ModuleStateResponse>
  /** what is kept after it */
  command<M extends keyof Game & string, C extends keyof Game[M]['commands'] & string>(
    module: M,
    command: C,
    values?: ValuesOf<Game[M]['commands'][C]['body']>,
  ): Promise<ModuleStateResponse>
}

/** @param options  of the server, with a player's token */
export function createModulesClient<Game extends DeclaredModules = DeclaredModules>({
  token,
  ...options
}: ExchangeOptions & { readonly token: string }): ModulesClient<Game> {
  const call = createCall(createExchange(options), { token })
  return {
    list: () => call(api.listModules),
    read: () => call(api.readModules),
    command: (module, command, values) =>
      call(api.commandModule, { module, command, values: values ?? {} }),
  }
}
