/** What modules keep of the own ship, read again and again, and their commands. */
import { ClientError, type ModuleStateResponse, type ModulesResponse } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import type { ModuleValues } from '@orrery/client'
import type { Game } from '../game/game.ts'
import { carryOut } from '../orders/orders.ts'

/** Between two readings [ms]. */
const PERIOD_MS = 5000

export interface Modules {
  readonly modules: ReadonlySignal<ModulesResponse['modules']>
  /** undefined before the first answer */
  readonly state: ReadonlySignal<ModuleStateResponse | undefined>
  /** @param words  what it does, for the log */
  command(module: string, command: string, values: ModuleValues, words: string): Promise<void>
}

export function useModules(game: Game): Modules {
  const modules = useSignal<ModulesResponse['modules']>([])
  const state = useSignal<ModuleStateResponse | undefined>(undefined)
  const clientOf = (token: string) => createModulesClient({ url: location.origin, token })
  useSignalEffect(() => {
    const { token } = game.live.value?.account ?? {}
    if (token === undefined) return undefined
    const client = clientOf(token)
    const renew = async (): Promise<void> => {
      if (document.hidden) return
      try {
        const [listed, read] = await Promise.all([client.list(), client.read()])
        modules.value = listed.modules
        state.value = read
      } catch {
        // What is shown stays until the next answer.
      }
    }
    void renew()
    const timer = setInterval(() => void renew(), PERIOD_MS)
    return () => clearInterval(timer)
  })
  const command: Modules['command'] = async (module, name, values, words) => {
    await carryOut(game, words, async ({ account: { token } }) => {
      try {
        state.value = await clientOf(token).command(module, name, values)
      } catch (error) {
        throw readable(error, `${module} ${name}: `)
      }
    })
  }
  return { modules, state, command }
}

/** A refusal as a sentence: the name of its reason is one of a program. */
function readable(error: unknown, prefix: string): unknown {
  if (!(error instanceof ClientError) || !error.message.startsWith(prefix)) return error
  const [reason = '', ...data] = error.message.slice(prefix.length).split(', ')
  return new ClientError(error.code, `${[reason.replaceAll('_', ' '), ...data].join(', ')}.`)
}
