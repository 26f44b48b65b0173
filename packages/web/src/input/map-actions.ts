/** Actions of the map. */
import type { OrbitMap } from '../page/orbit-map.ts'
import type { Action } from './actions.ts'

export function mapActions(map: OrbitMap): Action[] {
  const words = 'map of the own orbit, and back'
  return [{ name: 'view.map', group: 'View', keys: ['KeyM'], words, act: () => map.toggle() }]
}
