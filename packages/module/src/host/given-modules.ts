import { EngineError } from '@orrery/engine'
import type { ModuleName } from '@orrery/engine/modules'
import { type GameModule, MODULES_MAX } from '../define-module.ts'

/** The modules that a server has, some of them in several versions. */
export class GivenModules {
  readonly #all: readonly GameModule[]

  /** @throws {EngineError} 'ERR_MODULE' when there are too many, or two have one id and version */
  constructor(all: readonly GameModule[]) {
    this.#all = all
    const { length } = this.names
    if (length > MODULES_MAX) {
      throw new EngineError(
        'ERR_MODULE',
        `A game has at most ${MODULES_MAX} modules, not ${length}.`,
      )
    }
    const twice = all.find((module, i) => all.findIndex((one) => isNamed(one, module)) < i)
    if (!twice) return
    throw new EngineError('ERR_MODULE', `Two modules are named ${twice.id} ${twice.version}.`)
  }

  /** each in its newest version */
  get names(): readonly ModuleName[] {
    const ids = [...new Set(this.#all.map(({ id }) => id))]
    return ids.flatMap((id) => {
      const module = this.#newest(id)
      return module ? [{ id, version: module.version }] : []
    })
  }

  /** @throws {EngineError} 'ERR_MODULE' when it is not given */
  require(name: ModuleName): GameModule {
    const given = this.#all.find((one) => isNamed(one, name))
    if (given) return given
    const { id, version } = name
    const other = this.#newest(id)
    if (!other) {
      throw new EngineError('ERR_MODULE', `The world has a module ${id}, which is not given.`)
    }
    const message = `The world has ${id} ${version}, and ${other.version} is given.`
    throw new EngineError('ERR_MODULE', message)
  }

  /** The same, or where it is not given, the newest version, if that can take over from it. */
  requireHeir(name: ModuleName): GameModule {
    if (this.#all.some((one) => isNamed(one, name))) return this.require(name)
    const heir = this.#newest(name.id)
    return heir && Object.hasOwn(heir.from, name.version) ? heir : this.require(name)
  }

  #newest(id: string): GameModule | undefined {
    const all = this.#all.filter((one) => one.id === id)
    return all.toSorted((a, b) => a.version - b.version).at(-1)
  }
}

function isNamed(one: ModuleName, { id, version }: ModuleName): boolean {
  return one.id === id && one.version === version
}
