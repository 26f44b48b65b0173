import type { Places, RailedObject } from '@orrery/protocol'
import type { OrderPlaces } from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { Scene } from '../scene/scene.ts'

/** What orders of one's own ship can name, and where the core keeps it. */
export function createPlaces(scene: Scene): Places & OrderPlaces {
  const object = (id: string, kind: RailedObject['kind'], field: string): string => {
    const wanted = id.toLowerCase()
    const found = scene.objects().find((one) => one.id === wanted && one.kind === kind)
    if (!found) throw unknown(field, kind)
    return found.id
  }
  return {
    body: (name, field) => {
      const body = scene.bodies?.indexOf(name)
      if (body === undefined) throw unknown(field, 'body')
      return body
    },
    // Of every star system the star comes first.
    star: () => 0,
    ship: (id) => scene.ship(id.toLowerCase())?.number ?? 0,
    station: (id, field) => object(id, 'station', field),
    anchorage: (id, field) => {
      const wanted = id.toLowerCase()
      const isGate = scene.objects().some((one) => one.id === wanted && one.kind === 'jumpgate')
      if (!isGate && scene.rails().some((one) => one.id === wanted)) return wanted
      throw unknown(field, 'station')
    },
    jumpgate: (id, field) => object(id, 'jumpgate', field),
    slotOf: () => -1,
    railOf: (id) => scene.rails().find((one) => one.id === id)?.row ?? -1,
  }
}

function unknown(field: string, what: string): ClientError {
  return new ClientError('E002', `${field} names no ${what} in this star system`)
}
