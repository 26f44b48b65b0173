/** Bodies, stations and gates by what they circle. */
import { sayName } from '../languages/say.ts'
import type { Thing } from '../readings/thing.ts'
import type { Surroundings } from '../scene/surroundings.ts'

export interface Place {
  readonly thing: Thing
  readonly name: string
  readonly kind: 'star' | 'planet' | 'minor_planet' | 'moon' | 'station' | 'jumpgate'
  /** what circles it */
  readonly inner: readonly Place[]
}

/** The first place of some trees whose own name contains a text, one that begins with it before. */
export function firstNamed(places: readonly Place[], search: string): Place | undefined {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return undefined
  const all = places.flatMap(function flat(place: Place): Place[] {
    return [place, ...place.inner.flatMap(flat)]
  })
  const begins = all.find(({ name }) => name.toLowerCase().startsWith(wanted))
  return begins ?? all.find(({ name }) => name.toLowerCase().includes(wanted))
}

/** The trees of a star system with the names that contain a text, and what those circle. */
export function placesOf({ bodies, craft }: Surroundings, search: string): readonly Place[] {
  const wanted = search.trim().toLowerCase()
  const isWanted = (name: string): boolean => holds(name) || holds(sayName(name))
  const holds = (name: string): boolean => name.toLowerCase().includes(wanted)
  const { world } = craft ?? {}
  const objects = world?.objects() ?? []
  const objectsAt = (parent: string): Place[] =>
    objects
      .filter(({ rail }) => world?.system?.bodies[rail.parent].name === parent)
      .filter(({ name }) => isWanted(name))
      .map(({ id, kind, name }) => ({ thing: { kind, id }, name, kind, inner: [] }))
  const under = (parent: number): Place[] =>
    bodies.flatMap((body, i) => {
      if (body.parent !== parent) return []
      const { name, kind } = body
      const inner = [...objectsAt(name), ...under(i)]
      if (inner.length === 0 && !isWanted(name)) return []
      return [{ thing: { kind: 'body', name }, name: sayName(name), kind, inner }]
    })
  return under(-1)
}
