import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, orNull, text, timestamps } from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

const FILE_MAX = 255

const PRIORITIES = ['Critical', 'Recommended', 'Optional'] as const
const STATUSES = ['pending', 'addressed', 'deferred', 'na'] as const

/** What can be changed of a coverage item. */
export interface CoverageFields {
  readonly status: (typeof STATUSES)[number]
  /** of the same version */
  readonly question_id: string | null
  readonly reason: string | null
}

/** A new coverage item. */
export interface NewCoverage extends CoverageFields {
  readonly knowledge_file: string
  readonly item_text: string
  readonly priority: (typeof PRIORITIES)[number]
}

/** How a version stands to one item of a knowledge file's checklist. */
export interface CoverageItem extends NewCoverage, Timestamps {
  readonly id: string
  readonly version_id: string
}

const status = v.picklist(STATUSES)

/** In any case on the way in, capitalised on the way out. */
const anyCasePriority = v.pipe(
  v.string(),
  v.description('Critical, Recommended or Optional, in any case'),
  v.transform((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
  v.picklist(PRIORITIES),
)

const entries = {
  id: id(),
  version_id: id(),
  knowledge_file: v.string(),
  item_text: v.string(),
  priority: v.picklist(PRIORITIES),
  status,
  question_id: v.nullable(id()),
  reason: v.nullable(v.string()),
  ...timestamps,
}

export const coverageItem: v.GenericSchema<unknown, CoverageItem> = named(
  'CoverageItem',
  v.object(entries),
)

export const coverageCreate: v.GenericSchema<unknown, NewCoverage> = v.object({
  knowledge_file: filled(FILE_MAX),
  item_text: filled(),
  priority: anyCasePriority,
  status: v.optional(status, 'pending'),
  question_id: orNull(id()),
  reason: orNull(text()),
})

export const coverageUpdate: v.GenericSchema<unknown, Changes<CoverageFields>> = v.partial(
  v.object({ status, question_id: v.nullable(id()), reason: v.nullable(text()) }),
)

export const coverageFilters: v.ObjectEntries = {
  status,
  priority: anyCasePriority,
  knowledge_file: text(FILE_MAX),
  question_id: id(),
}

export const coverageItems: Table = {
  name: 'coverage_item',
  thing: 'Coverage item',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'knowledge_file', type: 'text' },
    { by: 'priority', type: 'text' },
    { by: 'ordinal', type: 'bigint' },
  ],
}
