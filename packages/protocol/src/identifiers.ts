import * as v from 'valibot'

/** A UUID in its text form. */
export type Uuid = string

/** ISO 8601 in UTC, such as `2026-03-01T12:00:00.000Z`. */
export type Timestamp = string

/** Schema of a UUID, in any version and either case. */
export const uuid: v.GenericSchema<Uuid> = v.pipe(v.string(), v.uuid())

/** Schema of a UUID, or `""` where an account has no ship. */
export const uuidOrEmpty: v.GenericSchema<Uuid> = v.union([v.literal(''), uuid])

/** Schema of an ISO 8601 timestamp. */
export const timestamp: v.GenericSchema<Timestamp> = v.pipe(v.string(), v.isoTimestamp())

/** A client's own mark on a message, echoed in the answer to it. */
export type MessageId = string | number

const MESSAGE_ID_LENGTH_MAX = 64

/** Schema of a message id: text of at most 64 characters, or an integer that is exact. */
export const messageId: v.GenericSchema<MessageId> = v.union([
  v.pipe(v.string(), v.maxLength(MESSAGE_ID_LENGTH_MAX)),
  v.pipe(v.number(), v.safeInteger()),
])
