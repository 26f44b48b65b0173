import * as v from 'valibot'
import { named } from '../openapi.ts'

export const priority = v.picklist(['critical', 'recommended', 'optional'])

export type Priority = v.InferOutput<typeof priority>

/** A checklist item or passage related to a text. */
export const suggestion = named(
  'Suggestion',
  v.object({
    source_file: v.string(),
    checklist_item: v.string(),
    priority: v.nullable(priority),
    /** 0-1; above 0.5 is relevant */
    score: v.number(),
  }),
)

export type Suggestion = v.InferOutput<typeof suggestion>
