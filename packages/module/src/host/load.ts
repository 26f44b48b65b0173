import 'ses'
import { errorText } from '@orrery/engine'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { GameModules } from '@orrery/engine/modules'
import type { GameModule } from '../define-module.ts'
import * as api from '../index.ts'
import { ModuleError } from '../module-error.ts'
import { gameModules } from './world-host.ts'
import { EXACT_MATH, impurities } from '../purity.ts'
import { straightModules } from './straight.ts'

/** What `ses` adds to the global object. */
interface Sealed {
  lockdown(options: Readonly<Record<string, string>>): void
  readonly Compartment: new (options: {
    readonly globals: Readonly<Record<string, unknown>>
    readonly __options__: true
  }) => { evaluate(source: string): unknown }
}

const sealed = globalThis as unknown as Sealed

/** What modules have of `Math`. */
const exactMath = Object.freeze(
  Object.fromEntries(Array.from(EXACT_MATH, (name) => [name, Object(Math)[name]])),
)

let isLocked = false

/**
 * Loads modules from files, each in a compartment without clock, chance, input and output. The
 * first call freezes what all of this process shares: arrays, promises and so on.
 *
 * @throws {ModuleError} naming the file, and the line where that is known
 */
export async function loadModules(files: readonly string[]): Promise<GameModules> {
  const sources = await Promise.all(files.map(sourceOf))
  if (!isLocked) {
    const tamed = { errorTaming: 'unsafe', consoleTaming: 'unsafe', stackFiltering: 'verbose' }
    sealed.lockdown({ ...tamed, overrideTaming: 'severe', domainTaming: 'unsafe' })
  }
  isLocked = true
  return gameModules(files.flatMap((file, i) => evaluated(file, sources[i])))
}

async function sourceOf(file: string): Promise<string> {
  let source: string
  try {
    source = await readFile(file, 'utf8')
  } catch (error) {
    throw new ModuleError('ERR_SOURCE', `${file}: ${errorText(error)}`, { cause: error })
  }
  const [first] = impurities(source)
  if (first) throw new ModuleError('ERR_SOURCE', `${file}:${first.line}: ${first.message}`)
  return source
}

function evaluated(file: string, source: string): GameModule[] {
  const exported = Object.create(null) as Record<string, GameModule>
  let straight: ReadonlySet<string>
  try {
    const plain = withoutTypes(source)
    straight = straightModules(plain)
    const globals = { Math: exactMath, exported, orrery: Object.freeze({ ...api }) }
    const compartment = new sealed.Compartment({ globals, __options__: true })
    // A global is looked up through several scopes of the compartment, each time it is used.
    const local = 'const { Array, Math, Number, Object } = globalThis'
    compartment.evaluate(`(() => { ${local}; (() => {${script(plain)}\n})() })()`)
  } catch (error) {
    throw new ModuleError('ERR_SOURCE', `${file}: ${errorText(error)}`, { cause: error })
  }
  const modules = Object.values(exported).map((one) => ({
    ...one,
    isStraight: straight.has(one.id),
  }))
  if (modules.length > 0) return modules
  throw new ModuleError('ERR_SOURCE', `${file} exports no module: export const name = defineModule`)
}

/** A module without types as a script: its one import, and what it exports, are names there. */
function script(source: string): string {
  return source
    .replace(/^import\s*\{([^}]*)\}\s*from '@orrery\/module';?/gm, (_, names: string) => {
      return `const {${names.replace(/\bas\b/g, ':')}} = orrery;`
    })
    .replace(/^export const (\w+)\s*=/gm, 'const $1 = exported.$1 =')
}

/** Without Node's warning that this is experimental: the Node that runs it is a pinned one. */
function withoutTypes(source: string): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
