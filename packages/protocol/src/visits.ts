import * as v from 'valibot'
import { type MessageId, type Uuid, messageId, uuid } from './identifiers.ts'

export const JUMPGATE = 'jumpgate_id must be a UUID'

/** Takes the sender's ship through the jump gate beside it. */
export interface JumpMessage {
  readonly type: 'jump'
  readonly id?: MessageId
  readonly jumpgate_id: Uuid
}

/** Schema of {@link JumpMessage}. */
export const jumpMessage: v.GenericSchema<JumpMessage> = v.object({
  type: v.literal('jump'),
  id: v.exactOptional(messageId),
  jumpgate_id: uuid,
})

/** Body of `POST /api/player/jump`; it is answered like a transfer. */
export interface JumpRequest {
  readonly jumpgate_id: Uuid
}

/** Schema of {@link JumpRequest}. */
export const jumpRequest: v.GenericSchema<JumpRequest> = v.object({
  jumpgate_id: v.pipe(v.string(JUMPGATE), v.uuid(JUMPGATE)),
})
