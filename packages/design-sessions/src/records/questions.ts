import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, text, timestamps } from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

const STATUSES = ['open', 'answered', 'deferred', 'not_applicable'] as const

const CATEGORIES = [
  'requirements',
  'security',
  'scaling',
  'compliance',
  'cost',
  'operations',
  'networking',
  'storage',
  'compute',
  'identity',
  'monitoring',
  'dr',
  'migration',
] as const

export interface NewQuestion {
  readonly question_text: string
  readonly status: (typeof STATUSES)[number]
  readonly category: (typeof CATEGORIES)[number]
}

export interface QuestionFields extends NewQuestion {
  readonly answer_text: string | null
}

/** A question of a session. */
export interface Question extends QuestionFields, Timestamps {
  readonly id: string
  readonly version_id: string
}

const status = v.picklist(STATUSES)
const category = v.picklist(CATEGORIES)

const entries = {
  id: id(),
  version_id: id(),
  question_text: v.string(),
  answer_text: v.nullable(v.string()),
  status,
  category,
  ...timestamps,
}

const suggestion = named(
  'Suggestion',
  v.object({
    source_file: v.string(),
    checklist_item: v.string(),
    priority: v.nullable(v.picklist(['critical', 'recommended', 'optional'])),
    score: v.number(),
  }),
)

/** With suggestions of the library, which are not stored. */
export const question: v.GenericSchema<unknown, Question> = named(
  'Question',
  v.object({ ...entries, suggestions: v.array(suggestion) }),
)

export const questionCreate: v.GenericSchema<unknown, NewQuestion> = v.object({
  question_text: filled(),
  status: v.optional(status, 'open'),
  category: v.optional(category, 'requirements'),
})

export const questionUpdate: v.GenericSchema<unknown, Changes<QuestionFields>> = v.partial(
  v.object({ question_text: filled(), answer_text: v.nullable(text()), status, category }),
)

export const questionFilters: v.ObjectEntries = { status, category }

export const questions: Table = {
  name: 'question',
  thing: 'Question',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'ordinal', type: 'bigint' }],
}
