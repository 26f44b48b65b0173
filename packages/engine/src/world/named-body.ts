import { EngineError } from '../engine-error.ts'
import type { World } from './world.ts'

/**
 * Index of a body by its name, whatever the case.
 *
 * @throws {EngineError} 'ERR_BODY_UNKNOWN'
 */
export function namedBody({ state: { system } }: World, name: string): number {
  const wanted = name.toLowerCase()
  const index = system.bodies.findIndex((body) => body.name.toLowerCase() === wanted)
  if (index >= 0) return index
  throw new EngineError('ERR_BODY_UNKNOWN', `No body ${name} in ${system.name}.`)
}

/**
 * The world that has a body of this name, whatever the case.
 *
 * @throws {EngineError} 'ERR_BODY_UNKNOWN' when none has, or more than one
 */
export function worldOfBody(worlds: readonly World[], name: string): World {
  const wanted = name.toLowerCase()
  const found = worlds.filter(({ state }) =>
    state.system.bodies.some((body) => body.name.toLowerCase() === wanted),
  )
  if (found.length === 1) return found[0]
  const ids = found.map(({ state }) => state.system.id).join(', ')
  throw new EngineError(
    'ERR_BODY_UNKNOWN',
    found.length === 0 ? `No body ${name}.` : `A body ${name} is in each of ${ids}.`,
  )
}
