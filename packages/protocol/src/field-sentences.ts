import type * as v from 'valibot'
import { AT } from './orders/acting-index.ts'
import { CONTROL_FIELDS } from './orders/control.ts'
import { ERRORS } from './errors.ts'
import { MANEUVER_FIELDS } from './orders/maneuver-messages.ts'
import { PREDICTION_FIELDS } from './orders/predictions.ts'
import { RULE_FIELDS } from './orders/rules.ts'
import { MODULE_COMMAND_FIELDS } from './socket/module-command.ts'
import { SUBSCRIPTION_FIELDS } from './socket/subscriptions.ts'
import { TALK_FIELDS } from './socket/talk.ts'
import { VOTE_FIELDS } from './socket/votes.ts'
import { JUMPGATE, STATION } from './orders/visits.ts'

/** What each field of a message must be, for refusals; a sentence begins with the field. */
const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ...RULE_FIELDS,
  ...CONTROL_FIELDS,
  ...MANEUVER_FIELDS,
  ...PREDICTION_FIELDS,
  ...SUBSCRIPTION_FIELDS,
  ...TALK_FIELDS,
  ...VOTE_FIELDS,
  ...MODULE_COMMAND_FIELDS,
  ['at', AT],
  ['client_time', 'client_time must be a finite number'],
  ['jumpgate_id', JUMPGATE],
  ['modules', 'modules must be a list of at most 16 ids of modules'],
  ['station_id', STATION],
])

/** The sentence for what a schema refuses in a message: it names the field. */
export function fieldSentence({ type, path, message }: v.BaseIssue<unknown>): string {
  // Checks of several fields at once have their own sentences.
  if (type === 'raw_check' || path === undefined) return message
  const keys = path.map(({ key }) => String(key))
  const at = keys.findLastIndex((key) => FIELDS.has(key))
  if (at < 0) return ERRORS.E001.meaning
  // A field of a list's items may be another there: list, place, field.
  const own = FIELDS.get(`${keys[at - 2]}.${keys[at]}`)
  return [...keys.slice(0, at), own ?? FIELDS.get(keys[at])].join('.')
}
