/** Maneuvers that a player can start, with what they take. */
import type { Order } from '@orrery/client'
import type { StatedShip } from '@orrery/client/flight'
import { orderFault } from '@orrery/client/message-fault'
import { say } from '../languages/say.ts'
import {
  QUANTITIES,
  type QuantityName,
  type Texts,
  readQuantities,
  writeQuantity,
} from '../quantities/quantity-fields.ts'
import { type PresentOrbit, elementsOf } from '../quantities/apsides.ts'
import { STEERINGS } from './steering-modes.ts'
import { targetFields } from './target-fields.ts'
import type { Thing } from '../readings/thing.ts'

export type ManeuverStart = Extract<Order, { type: 'maneuver_start' }>
/** Those that a form orders; the burns of a plan are not typed. */
export type ManeuverName = Exclude<ManeuverStart['maneuver'], 'plan'>

export interface ManeuverForm {
  readonly maneuver: ManeuverName
  readonly title: string
  readonly hint: string
  readonly quantities: readonly QuantityName[]
  /** what it is directed at: a body of a list, the chosen target, or a direction */
  readonly aim?: 'body' | 'target' | 'pointing'
}

export const MANEUVERS: readonly ManeuverForm[] = [
  {
    maneuver: 'circularize',
    title: say('Circularize'),
    hint: say('Makes the orbit a circle.'),
    quantities: ['timeout'],
  },
  {
    maneuver: 'set_orbit',
    title: say('Set orbit'),
    hint: say('Changes the orbit about the present body. An empty field leaves its quantity free.'),
    quantities: [
      'semi_major_axis',
      'eccentricity',
      'inclination',
      'ascending_node',
      'thrust_level',
      'timeout',
    ],
  },
  {
    maneuver: 'transfer',
    title: say('Transfer'),
    hint: say(
      'Flies to a body, into a circular orbit. Without an altitude it is a low one, or about ' +
        'a giant a long ellipse that costs less.',
    ),
    quantities: ['altitude', 'depart_within', 'delta_v_max', 'timeout'],
    aim: 'body',
  },
  {
    maneuver: 'rendezvous',
    title: say('Rendezvous'),
    hint: say('Flies to the target and comes to rest beside it.'),
    quantities: ['depart_within', 'delta_v_max', 'timeout'],
    aim: 'target',
  },
  {
    maneuver: 'hold_station',
    title: say('Hold station'),
    hint: say('Flies to the target and stays beside it.'),
    quantities: ['timeout'],
    aim: 'target',
  },
  {
    maneuver: 'escape',
    title: say('Escape'),
    hint: say('Leaves the present body for the one that it goes round.'),
    quantities: ['timeout'],
  },
  {
    maneuver: 'attitude',
    title: say('Turn'),
    hint: say('Turns the hull, and ends when it points there.'),
    quantities: [],
    aim: 'pointing',
  },
  {
    maneuver: 'kill_rotation',
    title: say('Stop turning'),
    hint: say('Ends all rotation of the hull.'),
    quantities: [],
  },
]

/** Of an order that is given now: the body is known whose ground altitudes are counted from. */
const SET_ORBIT_NOW: ManeuverForm = {
  maneuver: 'set_orbit',
  title: say('Set orbit'),
  hint: say(
    'Changes the orbit about the present body. Apsides are altitudes; an empty one stays as ' +
      'it is. Any other empty field leaves its quantity free.',
  ),
  quantities: ['apoapsis', 'periapsis', 'inclination', 'ascending_node', 'thrust_level', 'timeout'],
}

/** @param isNow  whether the order is given now, and not by a rule at some time */
export function maneuverForm(name: string, isNow: boolean = false): ManeuverForm {
  if (isNow && name === 'set_orbit') return SET_ORBIT_NOW
  return MANEUVERS.find(({ maneuver }) => maneuver === name) ?? MANEUVERS[0]
}

/** What a maneuver is called; those without a form, too, and one of a later server by its name. */
export function maneuverTitle(name: string): string {
  if (name === 'dock') return say('Dock')
  if (name === 'plan') return say('Plan')
  return MANEUVERS.find(({ maneuver }) => maneuver === name)?.title ?? name.replaceAll('_', ' ')
}

/** What is chosen of a departure: see `Departure` of the protocol. */
export const DEPARTURES: Readonly<Record<'cheapest' | 'soonest' | 'dated', string>> = {
  cheapest: say('where it costs least'),
  soonest: say('as soon as Δv allows'),
  dated: say('at a date (UTC)'),
}

/** A choice of a departure, and the date as a field of a form has it. */
export interface DepartureChoice {
  readonly way: keyof typeof DEPARTURES
  readonly date: string
}

/** @param depart  of an order */
export function departureChoice(depart: string = 'cheapest'): DepartureChoice {
  const isDated = depart !== 'cheapest' && depart !== 'soonest'
  return isDated ? { way: 'dated', date: depart.slice(0, 16) } : { way: depart, date: '' }
}

/** Whether a maneuver flies to a target, and can choose when it leaves. */
export function hasDeparture({ quantities }: ManeuverForm): boolean {
  return quantities.includes('depart_within')
}

/** As an order has it, or what is wrong with it in a sentence. */
export function departureOf({ way, date }: DepartureChoice): { depart?: string } | string {
  if (way === 'cheapest') return {}
  if (way === 'soonest') return { depart: way }
  const time = Date.parse(`${date}Z`)
  return Number.isNaN(time)
    ? say('Choose a date to leave at.')
    : { depart: new Date(time).toISOString() }
}

/** What is chosen beside the quantities. */
export interface ManeuverAim {
  /** of a maneuver that can choose it; where it costs least when left out */
  readonly departure?: DepartureChoice | undefined
  readonly body: string
  readonly pointing: string
  readonly target: Thing | undefined
  /** of the ship; undefined while it is not known */
  readonly present?: PresentOrbit | undefined
}

/** The order of a filled form, or what is wrong with it in a sentence. */
export function maneuverOrder(
  form: ManeuverForm,
  texts: Texts,
  { body, departure, pointing, target, present }: ManeuverAim,
): ManeuverStart | string {
  const { maneuver, quantities, aim } = form
  const isAtTarget = aim === 'target' || (aim === 'pointing' && pointing === 'target')
  if (isAtTarget && !target) return say('Choose a target first.')
  const { apoapsis: _high, periapsis: _low, ...read } = readQuantities(texts, quantities)
  const elements = quantities.includes('apoapsis') ? elementsOf(texts, present) : {}
  if (typeof elements === 'string') return elements
  const leaving = departure && hasDeparture(form) ? departureOf(departure) : {}
  if (typeof leaving === 'string') return leaving
  const order = {
    type: 'maneuver_start',
    maneuver,
    ...elements,
    ...read,
    ...leaving,
    ...(aim === 'body' && { target_body: body }),
    ...(aim === 'pointing' && { pointing }),
    ...(isAtTarget && target && targetFields(target)),
  } as ManeuverStart
  return orderFault(order) ?? order
}

/** What the fields have at first: the present size and shape. */
export function proposedTexts(form: ManeuverForm, ship: StatedShip | undefined): Texts {
  if (form.maneuver !== 'set_orbit' || !ship) return {}
  const { mean_orbit: orbit } = ship
  // A node or an inclination that was not asked for is a burn more, and drifts meanwhile.
  const values = form.quantities.includes('apoapsis')
    ? { apoapsis: orbit.apoapsis_altitude, periapsis: orbit.periapsis_altitude }
    : { semi_major_axis: orbit.semi_major_axis, eccentricity: orbit.eccentricity }
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    writeQuantity(value, QUANTITIES[name as QuantityName]),
  ])
  return Object.fromEntries(texts)
}

/** What the fields of a started maneuver have. */
export function textsOfManeuver(order: Omit<ManeuverStart, 'type'>): Texts {
  return Object.fromEntries(
    maneuverForm(order.maneuver).quantities.map((name) => {
      const value = name in order ? order[name as keyof typeof order] : undefined
      return [name, writeQuantity(value as number | undefined, QUANTITIES[name])]
    }),
  )
}

/** Directions that a maneuver can turn to. */
export const MANEUVER_POINTINGS: typeof STEERINGS = STEERINGS.filter(
  ({ mode }) => !['away', 'hold', 'rest', 'loose'].includes(mode),
)
