/** Actions of the map. */
import type { MapView } from '../page/map-view.ts'
import type { Action } from './actions.ts'

export function mapActions(map: MapView): Action[] {
  const words = 'map of the own orbit, and back'
  return [{ name: 'view.map', group: 'View', keys: ['KeyM'], words, act: () => map.toggle() }]
}
