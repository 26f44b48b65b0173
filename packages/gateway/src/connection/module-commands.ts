import { EngineError } from '@orrery/engine'
import { SlidingWindow } from '@orrery/http'
import type { ModuleCommandRequest } from '@orrery/protocol'
import type { ServedEngine } from '../views/served-engine.ts'

const MINUTE_MS = 60_000

/** A pilot's command, and whose it is. */
export interface GivenModuleCommand extends ModuleCommandRequest {
  readonly accountId: string
  readonly shipId: string
  readonly module: string
}

/** What pilots command modules, as often as these let them. */
export class ModuleCommands {
  readonly #engine: Pick<ServedEngine, 'universe' | 'execute'>
  /** by how many a minute are allowed */
  readonly #windows = new Map<number, SlidingWindow>()

  constructor(engine: Pick<ServedEngine, 'universe' | 'execute'>) {
    this.#engine = engine
  }

  /**
   * Carries one out; returns the lattice index at which it acted.
   *
   * @throws {EngineError} 'ERR_MODULE_OPERATORS', 'ERR_BUDGET', and as the engine does
   */
  async run({ accountId, command, module, shipId, values }: GivenModuleCommand): Promise<number> {
    const [{ modules }] = this.#engine.universe.worlds
    const commands = modules?.added.find(({ id }) => id === module)?.commands
    const { may, perMinute } = commands?.find(({ name }) => name === command) ?? {}
    if (may === 'operator') {
      throw new EngineError('ERR_MODULE_OPERATORS', `Only operators may ${command}.`)
    }
    if (perMinute !== undefined) this.#count(perMinute, `${accountId} ${module} ${command}`)
    const body = values ?? {}
    const order = { kind: 'module_command', shipId, module, command, body } as const
    return this.#engine.execute(order, { actor: accountId })
  }

  #count(limit: number, key: string): void {
    const window = this.#windows.get(limit) ?? new SlidingWindow({ limit, windowMs: MINUTE_MS })
    this.#windows.set(limit, window)
    if (window.attempt(key).allowed) return
    throw new EngineError('ERR_BUDGET', `No more than ${limit} a minute.`)
  }
}
