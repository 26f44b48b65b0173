/** Things of the map by their names. */
import type { MapThing } from './map-thing.ts'
import type { Observer } from './observer.ts'

export interface FoundThing {
  readonly thing: MapThing
  readonly name: string
  /** what kind of thing it is */
  readonly what: string
}

const FOUND_MAX = 8

const OBJECT_WORDS = { station: 'station', jumpgate: 'jump gate' } as const

/** Bodies, stations, gates and ships whose names have a text, or a ship whose id it begins. */
export function namedThings({ flight, system }: Observer, text: string): readonly FoundThing[] {
  const wanted = text.trim().toLowerCase()
  const found: FoundThing[] = []
  const add = (name: string, id: string, thing: () => FoundThing): void => {
    if (found.length >= FOUND_MAX) return
    if (name.toLowerCase().includes(wanted) || (id !== '' && id.startsWith(wanted))) {
      found.push(thing())
    }
  }
  for (const [body, { name, kind }] of (system.value?.bodies ?? []).entries()) {
    add(name, '', () => ({ thing: { kind: 'body', body }, name, what: kind }))
  }
  for (const { id, name, kind } of flight.world.objects()) {
    add(name, id, () => ({ thing: { kind: 'object', id }, name, what: OBJECT_WORDS[kind] }))
  }
  for (const { id, name } of flight.world.ships()) {
    add(name, id, () => ({ thing: { kind: 'ship', id }, name, what: 'ship' }))
  }
  return found
}
