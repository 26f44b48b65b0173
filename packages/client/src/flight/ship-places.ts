import type { Places, RailedObject } from '@orrery/protocol'
import type { OrderPlaces } from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { Scene } from './scene.ts'

/** What orders of one's own ship can name, and where the core keeps it. */
export function createPlaces(scene: Scene): Places & OrderPlaces {
  const object = (id: string, kind: RailedObject['kind']): string => {
    const wanted = id.toLowerCase()
    const found = scene.objects().find((one) => one.id === wanted && one.kind === kind)
    if (!found) throw new ClientError('E003', `There is no ${kind} ${id} in this star system`)
    return found.id
  }
  return {
    body: (name) => {
      const body = scene.bodies?.indexOf(name) ?? -1
      if (body < 0) throw new ClientError('E001', `There is no body ${name} in this star system`)
      return body
    },
    star: () => scene.system?.bodies.findIndex(({ parent }) => parent < 0) ?? -1,
    ship: (id) => scene.ship(id.toLowerCase())?.number ?? 0,
    station: (id) => object(id, 'station'),
    jumpgate: (id) => object(id, 'jumpgate'),
    slotOf: () => -1,
    railOf: (id) => scene.objects().find((one) => one.id === id)?.row ?? -1,
  }
}
