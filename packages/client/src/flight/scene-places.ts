import type { Places } from '@orrery/protocol'
import { ClientError } from '../client-error.ts'
import type { Scene } from './scene.ts'

/** What orders can name of a scene. Its functions throw a ClientError E001 for the unknown. */
export function placesOf(scene: Scene): Places {
  const known = <Value>(value: Value | undefined, name: string): Value => {
    if (value !== undefined) return value
    throw new ClientError('E001', `${name} is not known here`)
  }
  const object = (id: string, kind: 'station' | 'jumpgate'): string =>
    known(
      scene.objects().find((one) => one.id === id.toLowerCase() && one.kind === kind)?.id,
      `The ${kind} ${id}`,
    )
  return {
    body: (name) => known(scene.bodies?.indexOf(name), name),
    star: () => known(scene.system, 'The star').bodies.findIndex(({ parent }) => parent < 0),
    ship: (id) => known(scene.ship(id.toLowerCase())?.number, `The ship ${id}`),
    station: (id) => object(id, 'station'),
    jumpgate: (id) => object(id, 'jumpgate'),
  }
}
