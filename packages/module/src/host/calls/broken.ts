import { EngineError } from '@orrery/engine'
import { ModuleRefusal, type RefusalData } from '../../module-error.ts'

/** What a command that a module refuses, or breaks in, is answered with. */
export function refusedOrBroken(id: string, command: string, error: unknown): EngineError {
  if (error instanceof ModuleRefusal) {
    const { data, reason } = error
    const words = Object.entries(data).map(([name, value]) => `${name} ${value}`)
    const text = [`${id} ${command}: ${reason}`, ...words].join(', ')
    const refusal = { module: id, command, reason, data: sendable(data) }
    return new EngineError('ERR_MODULE_REFUSED', text, { cause: error, refusal })
  }
  return new EngineError('ERR_MODULE_FAULT', `${id} ${command}: ${reasonOf(error)}`, {
    cause: error,
  })
}

/** As texts what JSON has no form for, or a client does not expect. */
function sendable(data: RefusalData): RefusalData {
  const entries = Object.entries(data).map(([name, value]) => {
    const isPlain = typeof value === 'boolean' || value === null || Number.isFinite(value)
    return [name, isPlain ? value : String(value)] as const
  })
  return Object.fromEntries(entries)
}

/** Why a module has stopped. */
export function reasonOf(error: unknown): string {
  if (error instanceof ModuleRefusal) return `It refuses (${error.reason}) what is no command.`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** What a command to a module that has stopped is answered with. */
export function hasStopped(id: string, reason: string): EngineError {
  return new EngineError('ERR_MODULE_STOPPED', `Module ${id} has stopped: ${reason}`)
}
