import * as v from 'valibot'
import { type Uuid, uuid } from '../identifiers.ts'

/** Roles of accounts. */
const ROLES = ['player', 'admin'] as const

/** Who may take a ship of a class: `operators` give it to any account, a list names roles. */
export type Takers = 'everyone' | 'operators' | readonly (typeof ROLES)[number][]

/** What an operator says of a class; the server itself asks no `price`. */
export interface ShipClassOffer {
  readonly title: string
  readonly description: string
  readonly price: number
  readonly takers: Takers
  /** by default on the spawn orbits of the first star system */
  readonly home?: ShipHome
}

/**
 * Where new ships begin in the first star system: 1 to 5 km behind a station, or on a circular
 * equatorial orbit about a body, `altitude` [m] above its mean radius.
 */
export type ShipHome =
  | { readonly station_id: Uuid }
  | { readonly body: string; readonly altitude: number }

const TITLE_MAX = 60
const DESCRIPTION_MAX = 500

const TAKERS_RULE = 'must be `everyone`, `operators` or a list of `player` and `admin`'

const HOME_RULE = 'must be a `station_id`, or a `body` and an `altitude`'

const shipHome: v.GenericSchema<ShipHome> = v.union(
  [
    v.strictObject({ station_id: uuid }),
    v.strictObject({ body: v.string(), altitude: v.pipe(v.number(), v.finite()) }),
  ],
  HOME_RULE,
)

const text = (most: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.maxLength(most, `has ${most} characters at most`))

/** Fields of what is said of a class. */
export const shipClassOffer: {
  readonly [Field in keyof Required<ShipClassOffer>]: v.GenericSchema<
    Required<ShipClassOffer>[Field]
  >
} = {
  title: text(TITLE_MAX),
  description: text(DESCRIPTION_MAX),
  price: v.pipe(v.number(), v.finite(), v.minValue(0)),
  takers: v.union(
    [
      v.picklist(['everyone', 'operators']),
      v.pipe(v.array(v.picklist(ROLES)), v.nonEmpty(TAKERS_RULE)),
    ],
    TAKERS_RULE,
  ),
  home: shipHome,
}
