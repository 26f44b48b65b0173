import * as v from 'valibot'
import { type MessageId, type Uuid, messageId, uuid } from '../identifiers.ts'
import { count, positive } from '../numbers.ts'

/** Ships that a subscription can name at most; as many as a frame holds. */
export const SUBSCRIBED_IDS_MAX = 256

/** Bytes a second of frames that a client can ask for, beside its heartbeat. */
export const BUDGET_MIN = 2_048
export const BUDGET_MAX = 1_048_576

/**
 * Narrows what comes in ticks: ships within `radius` [m] of one's own, ships named by `ids`, `rate`
 * frames a second at most [Hz]; observers choose a star system instead of a radius. What is absent
 * is not narrowed, so a message without any of them restores the whole. `budget` is what frames may
 * take [bytes/s]: of binary ones records wait, JSON ones are left out.
 */
export interface SubscribeMessage {
  readonly type: 'subscribe'
  readonly id?: MessageId
  readonly radius?: number
  readonly ids?: readonly Uuid[]
  readonly rate?: number
  readonly system_id?: string
  readonly budget?: number
}

/**
 * Sends on a new socket what the old one saw last; requests a frame at once. With the number of
 * the last publication, binary frames go on where they ended.
 */
export interface ResumeMessage {
  readonly type: 'resume'
  readonly id?: MessageId
  readonly era: number
  readonly tick: number
  readonly publication?: number
}

/** What each field must be, for refusals. */
export const SUBSCRIPTION_FIELDS: readonly (readonly [string, string])[] = [
  ['radius', 'radius must be a finite number of metres above 0'],
  ['ids', `ids must be a list of at most ${SUBSCRIBED_IDS_MAX} UUIDs`],
  ['rate', 'rate must be a finite number of Hz above 0'],
  ['system_id', 'system_id must be a text'],
  ['budget', `budget must be a number of bytes a second from ${BUDGET_MIN} to ${BUDGET_MAX}`],
  ['era', 'era must be a whole number, 0 or more'],
  ['tick', 'tick must be a whole number, 0 or more'],
  ['publication', 'publication must be a whole number, 0 or more'],
]

export const subscribeMessage: v.GenericSchema<SubscribeMessage> = v.object({
  type: v.literal('subscribe'),
  id: v.exactOptional(messageId),
  radius: v.exactOptional(positive),
  ids: v.exactOptional(v.pipe(v.array(uuid), v.maxLength(SUBSCRIBED_IDS_MAX))),
  rate: v.exactOptional(positive),
  system_id: v.exactOptional(v.string()),
  budget: v.exactOptional(v.pipe(v.number(), v.minValue(BUDGET_MIN), v.maxValue(BUDGET_MAX))),
})

export const resumeMessage: v.GenericSchema<ResumeMessage> = v.object({
  type: v.literal('resume'),
  id: v.exactOptional(messageId),
  era: count,
  tick: count,
  publication: v.exactOptional(count),
})
