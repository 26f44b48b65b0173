import { refusal } from '@orrery/game'
import type { EventPlaces } from '@orrery/store'

/** Where a reader of events goes on. */
export interface EventCursor {
  readonly era: number
  readonly places: EventPlaces
}

/** As text: the era, then a place for each star system, such as `1.sol=120.alpha_centauri=98`. */
export function cursorText({ era, places }: EventCursor): string {
  return [era, ...Object.entries(places).map((place) => place.join('='))].join('.')
}

/** @throws {Refusal} 400 E001 */
export function parseCursor(text: string): EventCursor {
  const [era, ...parts] = text.split('.')
  const places = parts.map((part) => /^([\w-]+)=(\d{1,15})$/.exec(part))
  if (!/^\d{1,9}$/.test(era) || places.includes(null)) {
    throw refusal('E001', 'after must be a cursor of an earlier answer')
  }
  const entries = places.flatMap((place) => (place ? [[place[1], Number(place[2])]] : []))
  return { era: Number(era), places: Object.fromEntries(entries) }
}
