import { EngineError } from '../engine-error.ts'
import type { World } from './world.ts'

/** Index of a system by its id. @throws {EngineError} 'ERR_SYSTEM_UNKNOWN' */
export function namedSystem({ state }: World, systemId: string): number {
  const system = state.systems.findIndex(({ id }) => id === systemId)
  if (system < 0) throw new EngineError('ERR_SYSTEM_UNKNOWN', `No system ${systemId}.`)
  return system
}

/** A body by the system it belongs to and its index there. */
export interface BodyPlace {
  readonly system: number
  readonly body: number
}

/**
 * A body by its name, whatever the case.
 *
 * @param system  index of the system to look in; all of them when left out
 * @throws {EngineError} 'ERR_BODY_UNKNOWN' when there is none, or more than one
 */
export function namedBody({ state }: World, name: string, system?: number): BodyPlace {
  const wanted = name.toLowerCase()
  const places = state.systems.flatMap(({ bodies }, i) =>
    system !== undefined && system !== i
      ? []
      : [...bodies.keys()]
          .filter((body) => bodies[body].name.toLowerCase() === wanted)
          .map((body) => ({ system: i, body })),
  )
  if (places.length === 1) return places[0]
  const ids = places.map((place) => state.systems[place.system].id).join(', ')
  const where = system === undefined ? '' : ` in ${state.systems[system].name}`
  throw new EngineError(
    'ERR_BODY_UNKNOWN',
    places.length === 0 ? `No body ${name}${where}.` : `A body ${name} is in each of ${ids}.`,
  )
}
