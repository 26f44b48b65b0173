import * as v from 'valibot'
import { type ActingIndex, actingIndex } from './acting-index.ts'
import { type MessageId, messageId } from '../identifiers.ts'
import {
  MESSAGE_POINTINGS,
  type MessagePointing,
  type TargetFields,
  pointingFault,
  targetFields,
} from './pointing.ts'
import { type Quaternion, type Vec3, attitude, vec3 } from '../vector.ts'
import { positive } from '../numbers.ts'

/**
 * Thrust 0-1 of the greatest, with `delta_v` [m/s] or `duration` [s] until the engine stops by
 * itself; a target attitude body → inertial, or instead of it what to point at, with pointing
 * 'target' one target, or a rate to turn at, body axes [rad/s]; whether thrusters unload the
 * wheels. What is absent stays as it is.
 */
export interface ControlMessage extends TargetFields, ActingIndex {
  readonly type: 'control'
  readonly id?: MessageId
  readonly thrust_level?: number
  readonly delta_v?: number
  readonly duration?: number
  readonly attitude?: Quaternion
  readonly pointing?: MessagePointing
  readonly angular_rate?: Vec3
  readonly wheel_unloading?: boolean
}

/** What each field must be, for refusals. */
export const CONTROL_FIELDS: readonly (readonly [string, string])[] = [
  ['thrust_level', 'thrust_level must be a number from 0 to 1'],
  ['delta_v', 'delta_v must be a finite number of m/s above 0'],
  ['duration', 'duration must be a finite number of seconds above 0'],
  ['attitude', 'attitude must be {w, x, y, z} of finite numbers with a norm that is not zero'],
  ['pointing', `pointing must be one of ${MESSAGE_POINTINGS.join(', ')}`],
  ['target_ship_id', 'target_ship_id must be a UUID'],
  ['target_body', 'target_body must be the name of a body'],
  ['target_station_id', 'target_station_id must be a UUID'],
  ['target_jumpgate_id', 'target_jumpgate_id must be a UUID'],
  ['angular_rate', 'angular_rate must be {x, y, z} of finite numbers of rad/s'],
  ['wheel_unloading', 'wheel_unloading must be true or false'],
]

export const controlMessage: v.GenericSchema<ControlMessage> = v.pipe(
  v.object({
    type: v.literal('control'),
    id: v.exactOptional(messageId),
    at: v.exactOptional(actingIndex),
    thrust_level: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    delta_v: v.exactOptional(positive),
    duration: v.exactOptional(positive),
    attitude: v.exactOptional(attitude),
    pointing: v.exactOptional(v.picklist(MESSAGE_POINTINGS)),
    ...targetFields,
    angular_rate: v.exactOptional(vec3),
    wheel_unloading: v.exactOptional(v.boolean()),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? fault(dataset.value) : undefined
    if (message !== undefined) addIssue({ message })
  }),
)

const DOING = ['thrust_level', 'attitude', 'pointing', 'angular_rate', 'wheel_unloading'] as const
const TURNS = ['attitude', 'pointing', 'angular_rate'] as const

/** What is wrong with a message whose fields are sound by themselves. */
function fault(message: ControlMessage): string | undefined {
  const { thrust_level: thrust = 0, delta_v: deltaV, duration } = message
  const has = (name: keyof ControlMessage): boolean => message[name] !== undefined
  if (!DOING.some(has)) return `control needs one of ${DOING.join(', ')}`
  if (deltaV !== undefined && duration !== undefined) {
    return 'control takes delta_v or duration, not both'
  }
  if (!(thrust > 0) && (deltaV !== undefined || duration !== undefined)) {
    return 'delta_v and duration need a thrust_level above 0'
  }
  if (TURNS.filter(has).length > 1) return `control takes only one of ${TURNS.join(', ')}`
  return pointingFault(message)
}
