import * as v from 'valibot'

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
}

const TITLE_MAX = 60
const DESCRIPTION_MAX = 500

const TAKERS_RULE = 'must be `everyone`, `operators` or a list of `player` and `admin`'

const text = (most: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.maxLength(most, `has ${most} characters at most`))

/** Fields of what is said of a class. */
export const shipClassOffer: {
  readonly [Field in keyof ShipClassOffer]: v.GenericSchema<ShipClassOffer[Field]>
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
}
