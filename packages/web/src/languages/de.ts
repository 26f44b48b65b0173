/** The page in German; each part has the texts of some folders. */
import { GERMAN_FLIGHT } from './de-flight.ts'
import { GERMAN_ORDERS } from './de-orders.ts'
import { GERMAN_PAGE } from './de-page.ts'
import { GERMAN_PEOPLE } from './de-people.ts'
import { GERMAN_PLACES } from './de-places.ts'
import { GERMAN_TIMES } from './de-times.ts'
import { GERMAN_NAMES } from './de-names.ts'
import type { Table } from './say.ts'

export const GERMAN: Table = {
  texts: {
    ...GERMAN_PAGE,
    ...GERMAN_PEOPLE,
    ...GERMAN_FLIGHT,
    ...GERMAN_ORDERS,
    ...GERMAN_PLACES,
    ...GERMAN_TIMES,
  },
  names: GERMAN_NAMES,
}
