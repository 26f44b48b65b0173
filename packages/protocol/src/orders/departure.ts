import { REGARDLESS, SOONEST, latticeFromUtc } from '@orrery/sim'
import * as v from 'valibot'
import { timestamp } from '../identifiers.ts'
import { positive } from '../numbers.ts'

const WAYS = ['cheapest', 'soonest'] as const

/**
 * When a flight to a target leaves, and what it may cost:
 *
 * - `depart`: 'cheapest', where its Δv with a small charge for waiting is least; 'soonest', as soon
 *   as its Δv is within what it may be, and to a target about the same body so that it is there
 *   soonest; or a game time, within a day of which it leaves
 * - `depart_within`: time after the order, or that game time, in which it leaves [s]
 * - `delta_v_max`: the most Δv of the whole flight [m/s]; by default what the fuel gives
 * - `reserve`: false to leave without the fuel for the whole flight, too
 */
export interface Departure {
  readonly depart?: string
  readonly depart_within?: number
  readonly delta_v_max?: number
  readonly reserve?: boolean
}

export const DEPARTURE = ['depart', 'depart_within', 'delta_v_max', 'reserve'] as const

const DEPART = `depart must be ${WAYS.join(', ')} or a time like 2026-03-01T12:00:00.000Z`

/** What each field must be, for refusals. */
export const DEPARTURE_FIELDS: readonly (readonly [string, string])[] = [
  ['depart', DEPART],
  ['depart_within', 'depart_within must be a finite number of seconds above 0'],
  ['delta_v_max', 'delta_v_max must be a finite number of metres per second above 0'],
  ['reserve', 'reserve must be true or false'],
]

/** Schemas of the fields of a departure, for a message that can have one. */
export const departureFields: {
  readonly [Field in keyof Departure]-?: v.ExactOptionalSchema<
    v.GenericSchema<NonNullable<Departure[Field]>>,
    undefined
  >
} = {
  depart: v.exactOptional(v.union([v.picklist(WAYS), timestamp], DEPART)),
  depart_within: v.exactOptional(positive),
  delta_v_max: v.exactOptional(positive),
  reserve: v.exactOptional(v.boolean()),
}

/** Time after a game time in which a flight leaves when its pilot names none [s]. */
const DAY = 86_400

/** Manner, first lattice index, time after it [s] and most Δv [m/s]: values of an order. */
export function departureParams(departure: Departure): number[] {
  const { depart = 'cheapest', depart_within: within, delta_v_max: most, reserve } = departure
  const manner = (depart === 'soonest' ? SOONEST : 0) + (reserve === false ? REGARDLESS : 0)
  const isDated = depart !== 'cheapest' && depart !== 'soonest'
  const from = isDated ? latticeFromUtc(Date.parse(depart)) : 0
  const params = [manner, from, within ?? (isDated ? DAY : 0), most ?? 0]
  return params.some((value) => value !== 0) ? params : []
}
