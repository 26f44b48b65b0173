import { EngineError } from '@orrery/engine'
import { asRefusal, refusal } from '@orrery/game'
import { pilotErrorCode } from '../sockets/pilot-commands.ts'

/** An error of a pilot's request as a refusal, in the engine's words for a wrong request. */
export function pilotRefusal(error: unknown): unknown {
  const code = error instanceof EngineError ? pilotErrorCode(error) : undefined
  if (code === undefined || code === 'E008') return asRefusal(error)
  if (code === 'E004' || code === 'E006') return refusal(code)
  return refusal(code, (error as EngineError).message, code === 'E003' ? 409 : undefined)
}
