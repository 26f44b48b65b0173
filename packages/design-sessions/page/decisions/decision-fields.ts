import type { Adr } from '../../src/records/adrs.ts'
import { choiceField, lineField, linesField, proseField } from '../kit/field.ts'
import { optionsField } from './options-field.ts'

const STATUSES: Readonly<Record<Adr['status'], string>> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  deprecated: 'Deprecated',
  superseded: 'Superseded',
}

/** What a new decision begins with. */
export const NEW_DECISION = {
  title: '',
  status: 'proposed',
  date: null,
  decision_makers: [],
  context: '',
  drivers: [],
  options: [],
  decision: '',
  consequences: '',
}

/** The fields of MADR 4. */
export const DECISION_FIELDS = [
  lineField('title', 'Title', { isRequired: true }),
  choiceField('status', 'Status', STATUSES),
  lineField('date', 'Date of the decision', { type: 'date', empty: null }),
  linesField('decision_makers', 'Decision makers'),
  proseField('context', 'Context', {
    isRequired: true,
    hint: 'A decision that a text names, such as ADR-003, relates to this one.',
  }),
  linesField('drivers', 'Drivers'),
  optionsField('options', 'Options'),
  proseField('decision', 'Decision', { isRequired: true }),
  proseField('consequences', 'Consequences'),
]
