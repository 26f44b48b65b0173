import { EngineError } from '@orrery/engine'
import type { ModuleBody } from '@orrery/engine/modules'

const TEXT_LENGTH_MAX = 256

/** What is given as a journal gives it back. @throws {EngineError} 'ERR_MODULE_BODY' */
export function keepable(given: ModuleBody, what: string): ModuleBody {
  const entries = Object.entries(given).map(([name, value]): [string, ModuleBody[string]] => {
    // No negative zero.
    const kept = typeof value === 'number' ? value + 0 : value
    if (isKeepable(name) && isKeepable(kept)) return [name, kept]
    throw new EngineError('ERR_MODULE_BODY', `${what}: a value cannot be kept.`)
  })
  return Object.fromEntries(entries)
}

function isKeepable(value: ModuleBody[string]): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'string') return true
  return value.length <= TEXT_LENGTH_MAX && value.isWellFormed() && !/\p{Cc}/u.test(value)
}
