import { EngineError } from '@orrery/engine'
import { ModuleRefusal } from '../../module-error.ts'

/** What a command that a module refuses, or breaks in, is answered with. */
export function refusedOrBroken(id: string, command: string, error: unknown): EngineError {
  if (error instanceof ModuleRefusal) {
    const data = Object.entries(error.data).map(([name, value]) => `${name} ${value}`)
    const text = [`${id} ${command}: ${error.reason}`, ...data].join(', ')
    return new EngineError('ERR_MODULE_REFUSED', text, { cause: error })
  }
  return new EngineError('ERR_MODULE_FAULT', `${id} ${command}: ${reasonOf(error)}`, {
    cause: error,
  })
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
