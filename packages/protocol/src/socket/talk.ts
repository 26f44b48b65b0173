import * as v from 'valibot'
import { type MessageId, type Timestamp, type Uuid, messageId, uuid } from '../identifiers.ts'
import { TALK_TEXT, talkText } from '../talk-text.ts'

/** What each field must be, for refusals. */
export const TALK_FIELDS: readonly (readonly [field: string, sentence: string])[] = [
  ['text', TALK_TEXT],
]

/** A message to the pilots in view, or to that of one ship; the text is trimmed and in NFC here. */
export interface SayMessage {
  readonly type: 'say'
  readonly id?: MessageId
  readonly text: string
  readonly ship_id?: Uuid
}

/** What a pilot says, as its hearers and the pilot itself are sent it. */
export interface SaidMessage {
  readonly type: 'said'
  /** that of the `say`, to its sender only */
  readonly id?: MessageId
  /** the sender's; the id of a service token where a program speaks */
  readonly ship_id: Uuid
  readonly ship_name: string
  readonly text: string
  /** UTC of the server */
  readonly at: Timestamp
  /** the one ship it is for */
  readonly to_ship_id?: Uuid
  /** to its sender only: how many pilots were sent it */
  readonly heard?: number
}

/** Schema of a {@link SayMessage}. */
export const sayMessage: v.GenericSchema<SayMessage> = v.object({
  type: v.literal('say'),
  id: v.exactOptional(messageId),
  text: talkText,
  ship_id: v.exactOptional(uuid),
})
