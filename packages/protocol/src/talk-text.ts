import type * as v from 'valibot'
import { displayName } from './display-name.ts'

/** Code points of one message to pilots. */
export const TALK_LENGTH_MAX = 200

const LENGTH = `text must be 1 to ${TALK_LENGTH_MAX} characters`

/** What such a text must be. */
export const TALK_TEXT: string = `${LENGTH}, not all invisible, none a control`

/** Schema of such a text; it is trimmed and in NFC behind it. */
export const talkText: v.GenericSchema<string> = displayName(1, TALK_LENGTH_MAX, TALK_TEXT)
