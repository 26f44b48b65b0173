import * as v from 'valibot'
import { type ActingIndex, actingIndex } from './acting-index.ts'
import { type MessageId, messageId } from '../identifiers.ts'
import {
  MESSAGE_POINTINGS,
  type MessagePointing,
  TARGET_FIELDS,
  type TargetFields,
  pointingFault,
  targetFields,
} from './pointing.ts'
import { type Quaternion, attitude } from '../vector.ts'
import { NODE_FIELDS, type PlanNode, nodesFault, planNodes } from './plan-node.ts'
import { real } from '../numbers.ts'
import { DEPARTURE, DEPARTURE_FIELDS, type Departure, departureFields } from './departure.ts'

/** Maneuvers that a pilot can begin. */
export const MANEUVERS = [
  'attitude',
  'kill_rotation',
  'circularize',
  'set_orbit',
  'transfer',
  'rendezvous',
  'hold_station',
  'escape',
  'plan',
] as const

/**
 * Begins a maneuver; with what it takes:
 *
 * - `attitude`: turns the hull to an `attitude` body → inertial, or to a `pointing`, with pointing
 *   'target' at one target
 * - `kill_rotation`: ends all rotation
 * - `circularize`: makes the orbit a circle
 * - `set_orbit`: at least one of `semi_major_axis` [m], `eccentricity`, `inclination` and
 *   `ascending_node` [rad] as in the ship's `mean_orbit`, about its reference body, or
 *   `periapsis_altitude` and `apoapsis_altitude` [m] instead of the first two; with a small
 *   `thrust_level` in many revolutions
 * - `transfer`: flies to `target_body`, into a circular orbit at `altitude` [m]; without it into a
 *   low one, of a giant into a long ellipse that is low at its periapsis
 * - `rendezvous`, `hold_station`: fly to a station, jump gate or ship, and stay there; these and
 *   `transfer` leave as their {@link Departure} says
 * - `escape`: leaves the reference body
 * - `plan`: burns at the times of 1 to 16 `nodes`, one after the other
 *
 * With `elements` 'osculating', `circularize` and `set_orbit` aim at the orbit of this moment, not
 * at the mean one. Those from `circularize` on but `plan` fail after `timeout` [s] of game time,
 * {@link TIMEOUT_MAX} by default.
 */
export interface ManeuverStartMessage extends TargetFields, Departure, ActingIndex {
  readonly type: 'maneuver_start'
  readonly id?: MessageId
  readonly maneuver: (typeof MANEUVERS)[number]
  readonly attitude?: Quaternion
  readonly pointing?: MessagePointing
  readonly semi_major_axis?: number
  readonly eccentricity?: number
  readonly periapsis_altitude?: number
  readonly apoapsis_altitude?: number
  readonly inclination?: number
  readonly ascending_node?: number
  readonly altitude?: number
  readonly elements?: (typeof ELEMENT_KINDS)[number]
  readonly thrust_level?: number
  readonly timeout?: number
  readonly nodes?: readonly PlanNode[]
}

/** Ends the maneuver under way: engine off, the hull comes to rest. */
export interface ManeuverAbortMessage extends ActingIndex {
  readonly type: 'maneuver_abort'
  readonly id?: MessageId
}

/** Longest time that a maneuver may take: ten years [s]. */
export const TIMEOUT_MAX = 315_576_000

/** The maneuvers that fly to a target, however far it is. */
export const FLIGHTS: ReadonlySet<string> = new Set([
  'transfer',
  'rendezvous',
  'hold_station',
  'dock',
])

const TIMEOUT = `Game time after which it fails [s], ${TIMEOUT_MAX} at most and by default.`

const ALTITUDE =
  'Altitude of the last orbit of a transfer [m], a circle. By default it is 8 % of the radius of ' +
  'the body; about a giant, where a low circle costs too much, the last orbit is then an ellipse ' +
  'from there to a tenth of the sphere of influence. It is above 0.4 % of the radius, and inside ' +
  'half the sphere of influence.'

type Field = Exclude<keyof ManeuverStartMessage, 'type' | 'id' | 'at' | 'maneuver'>

/** What elements of an order are of. */
export const ELEMENT_KINDS = ['mean', 'osculating'] as const

const SHAPE = ['semi_major_axis', 'eccentricity'] as const
const APSIDES = ['periapsis_altitude', 'apoapsis_altitude'] as const
const ELEMENTS = [...SHAPE, ...APSIDES, 'inclination', 'ascending_node'] as const

const OBJECTS = ['target_ship_id', 'target_station_id', 'target_jumpgate_id'] as const

/** What each maneuver takes beside its name. */
const FIELDS: Readonly<Record<ManeuverStartMessage['maneuver'], readonly Field[]>> = {
  attitude: ['attitude', 'pointing', ...TARGET_FIELDS],
  kill_rotation: [],
  circularize: ['elements', 'timeout'],
  set_orbit: [...ELEMENTS, 'elements', 'thrust_level', 'timeout'],
  transfer: ['target_body', 'altitude', ...DEPARTURE, 'timeout'],
  rendezvous: [...OBJECTS, ...DEPARTURE, 'timeout'],
  hold_station: [...OBJECTS, ...DEPARTURE, 'timeout'],
  escape: ['timeout'],
  plan: ['nodes'],
}

/** What is wrong with a message whose fields are sound by themselves. */
function fault(message: ManeuverStartMessage): string | undefined {
  const { maneuver } = message
  const fields = Object.keys(message).filter((key) => !OWN.has(key)) as Field[]
  const excess = fields.find((field) => !FIELDS[maneuver].includes(field))
  if (excess) return `maneuver '${maneuver}' takes no ${excess}`
  if (maneuver === 'attitude') return turnFault(message)
  const has = (names: readonly Field[]): number =>
    names.filter((name) => message[name] !== undefined).length
  if (FIELDS[maneuver].includes('target_station_id') && has(OBJECTS) !== 1) {
    return `maneuver '${maneuver}' takes one of ${OBJECTS.join(', ')}`
  }
  if (maneuver === 'set_orbit' && has(ELEMENTS) === 0) {
    return `maneuver 'set_orbit' takes at least one of ${ELEMENTS.join(', ')}`
  }
  if (has(SHAPE) > 0 && has(APSIDES) > 0) {
    return `maneuver 'set_orbit' takes either ${SHAPE.join(', ')} or ${APSIDES.join(', ')}`
  }
  if (maneuver === 'transfer' && has(['target_body']) === 0) {
    return "maneuver 'transfer' takes a target_body"
  }
  if (maneuver !== 'plan') return undefined
  return message.nodes ? nodesFault(message.nodes) : "maneuver 'plan' takes nodes"
}

const OWN: ReadonlySet<string> = new Set(['type', 'id', 'at', 'maneuver'])

function turnFault(message: ManeuverStartMessage): string | undefined {
  const { attitude: wanted, pointing } = message
  if ((wanted === undefined) === (pointing === undefined)) {
    return "maneuver 'attitude' takes either attitude or pointing"
  }
  if (pointing === 'rest' || pointing === 'loose') {
    return "no maneuver points at 'rest' or 'loose'; 'kill_rotation' ends all rotation"
  }
  return pointingFault(message)
}

/** What each field must be, for refusals. */
export const MANEUVER_FIELDS: readonly (readonly [string, string])[] = [
  ['maneuver', `maneuver must be one of ${MANEUVERS.join(', ')}`],
  ['semi_major_axis', 'semi_major_axis must be a finite number of metres above 0'],
  ['eccentricity', 'eccentricity must be a number from 0 to below 1'],
  ['periapsis_altitude', 'periapsis_altitude must be a finite number of metres above 0'],
  ['apoapsis_altitude', 'apoapsis_altitude must be a finite number of metres above 0'],
  ['elements', `elements must be ${ELEMENT_KINDS.join(' or ')}`],
  ['inclination', 'inclination must be a number of radians from 0 to π'],
  ['ascending_node', 'ascending_node must be a number of radians from 0 to below 2π'],
  ['altitude', 'altitude must be a finite number of metres above 0'],
  ['timeout', `timeout must be a number of seconds from 1 to ${TIMEOUT_MAX}`],
  ...DEPARTURE_FIELDS,
  ...NODE_FIELDS,
]

export const maneuverStartMessage: v.GenericSchema<ManeuverStartMessage> = v.pipe(
  v.object({
    type: v.literal('maneuver_start'),
    id: v.exactOptional(messageId),
    at: v.exactOptional(actingIndex),
    maneuver: v.picklist(MANEUVERS),
    attitude: v.exactOptional(attitude),
    pointing: v.exactOptional(v.picklist(MESSAGE_POINTINGS)),
    ...targetFields,
    semi_major_axis: v.exactOptional(v.pipe(real, v.gtValue(0))),
    eccentricity: v.exactOptional(v.pipe(real, v.minValue(0), v.ltValue(1))),
    periapsis_altitude: v.exactOptional(v.pipe(real, v.gtValue(0))),
    apoapsis_altitude: v.exactOptional(v.pipe(real, v.gtValue(0))),
    elements: v.exactOptional(v.picklist(ELEMENT_KINDS)),
    inclination: v.exactOptional(v.pipe(real, v.minValue(0), v.maxValue(Math.PI))),
    ascending_node: v.exactOptional(v.pipe(real, v.minValue(0), v.ltValue(2 * Math.PI))),
    altitude: v.exactOptional(v.pipe(real, v.gtValue(0), v.description(ALTITUDE))),
    thrust_level: v.exactOptional(v.pipe(real, v.gtValue(0), v.maxValue(1))),
    timeout: v.exactOptional(
      v.pipe(real, v.minValue(1), v.maxValue(TIMEOUT_MAX), v.description(TIMEOUT)),
    ),
    ...departureFields,
    nodes: v.exactOptional(planNodes),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? fault(dataset.value) : undefined
    if (message !== undefined) addIssue({ message })
  }),
)

export const maneuverAbortMessage: v.GenericSchema<ManeuverAbortMessage> = v.object({
  type: v.literal('maneuver_abort'),
  id: v.exactOptional(messageId),
  at: v.exactOptional(actingIndex),
})
