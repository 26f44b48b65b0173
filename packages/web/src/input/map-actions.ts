/** Actions of the map. */
import { say } from '../languages/say.ts'
import type { OrbitMap } from '../page/orbit-map.ts'
import type { Action } from './actions.ts'

export function mapActions(map: OrbitMap): Action[] {
  const words = say('map of the own orbit, and back')
  return [{ name: 'view.map', group: say('View'), keys: ['KeyM'], words, act: () => map.toggle() }]
}
