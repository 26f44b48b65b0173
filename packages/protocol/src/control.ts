import { POINTINGS, type Pointing } from '@orrery/sim'
import * as v from 'valibot'
import { type MessageId, type Uuid, messageId, uuid } from './identifiers.ts'
import { type Quaternion, attitude } from './vector.ts'

/**
 * Thrust 0-1 of the greatest, with `delta_v` [m/s] or `duration` [s] until the engine stops by
 * itself; a target attitude body → inertial, or instead of it what to point at, with pointing
 * 'target' the ship to point at; whether thrusters unload the wheels. What is absent stays as it
 * is.
 */
export interface ControlMessage {
  readonly type: 'control'
  readonly id?: MessageId
  readonly thrust_level?: number
  readonly delta_v?: number
  readonly duration?: number
  readonly attitude?: Quaternion
  readonly pointing?: Pointing
  readonly target_ship_id?: Uuid
  readonly wheel_unloading?: boolean
}

const positive: v.GenericSchema<number> = v.pipe(v.number(), v.finite(), v.gtValue(0))

/** What each field must be, for refusals. */
export const CONTROL_FIELDS: readonly (readonly [string, string])[] = [
  ['thrust_level', 'thrust_level must be a number from 0 to 1'],
  ['delta_v', 'delta_v must be a finite number of m/s above 0'],
  ['duration', 'duration must be a finite number of seconds above 0'],
  ['attitude', 'attitude must be {w, x, y, z} of finite numbers with a norm that is not zero'],
  ['pointing', `pointing must be one of ${POINTINGS.join(', ')}`],
  ['target_ship_id', 'target_ship_id must be a UUID'],
  ['wheel_unloading', 'wheel_unloading must be true or false'],
]

/** Schema of {@link ControlMessage}. */
export const controlMessage: v.GenericSchema<ControlMessage> = v.pipe(
  v.object({
    type: v.literal('control'),
    id: v.exactOptional(messageId),
    thrust_level: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    delta_v: v.exactOptional(positive),
    duration: v.exactOptional(positive),
    attitude: v.exactOptional(attitude),
    pointing: v.exactOptional(v.picklist(POINTINGS)),
    target_ship_id: v.exactOptional(uuid),
    wheel_unloading: v.exactOptional(v.boolean()),
  }),
  v.check(
    ({ thrust_level: thrust, attitude: wanted, pointing, wheel_unloading: unloading }) =>
      [thrust, wanted, pointing, unloading].some((field) => field !== undefined),
    'control needs thrust_level, attitude, pointing or wheel_unloading',
  ),
  v.check(
    ({ delta_v: deltaV, duration }) => deltaV === undefined || duration === undefined,
    'control takes delta_v or duration, not both',
  ),
  v.check(
    ({ thrust_level: thrust = 0, delta_v: deltaV, duration }) =>
      thrust > 0 || (deltaV === undefined && duration === undefined),
    'delta_v and duration need a thrust_level above 0',
  ),
  v.check(
    ({ attitude: wanted, pointing }) => wanted === undefined || pointing === undefined,
    'control takes attitude or pointing, not both',
  ),
  v.check(
    ({ pointing, target_ship_id: target }) => (pointing === 'target') === (target !== undefined),
    "pointing 'target' and target_ship_id go together",
  ),
)
