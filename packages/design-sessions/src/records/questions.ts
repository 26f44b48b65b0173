import * as v from 'valibot'
import { filled, text } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind } from '../tables/kind.ts'
import { suggestion } from './suggestion.ts'
import { versions } from './versions.ts'

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

const status = v.picklist(['open', 'answered', 'deferred', 'not_applicable'])
const category = v.picklist(CATEGORIES)

/** A question of a session. */
export const questions = kind({
  name: 'question',
  thing: 'Question',
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'ordinal', type: 'bigint' }],
  fields: {
    question_text: filled(),
    answer_text: { shown: v.nullable(v.string()), update: v.nullable(text()) },
    status: v.optional(status, 'open'),
    category: v.optional(category, 'requirements'),
  },
  added: { suggestions: v.array(suggestion) },
  filters: { status, category },
})

export type Question = RowOf<typeof questions>
export type NewQuestion = CreateOf<typeof questions>
