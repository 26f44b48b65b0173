import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Changes, type Timestamps, filled, id, integer, timestamps } from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

const TITLE_MAX = 255

const STATUSES = ['proposed', 'accepted', 'deprecated', 'superseded'] as const

/** What a caller says of a decision. */
export interface AdrFields {
  readonly title: string
  readonly status: (typeof STATUSES)[number]
  readonly context: string
  readonly decision: string
  readonly consequences: string
}

/** An architecture decision record. */
export interface Adr extends AdrFields, Timestamps {
  readonly id: string
  readonly version_id: string
  /** counted from 1 within the version */
  readonly adr_number: number
  readonly superseded_by: string | null
}

const status = v.picklist(STATUSES)

const entries = {
  id: id(),
  version_id: id(),
  adr_number: integer(),
  title: v.string(),
  status,
  context: v.string(),
  decision: v.string(),
  consequences: v.string(),
  superseded_by: v.nullable(id()),
  ...timestamps,
}

export const adr: v.GenericSchema<unknown, Adr> = named('Adr', v.object(entries))

const prose = {
  title: filled(TITLE_MAX),
  context: filled(),
  decision: filled(),
  consequences: filled(),
}

export const adrCreate: v.GenericSchema<unknown, AdrFields> = v.object({
  ...prose,
  status: v.optional(status, 'proposed'),
})

export const adrUpdate: v.GenericSchema<unknown, Changes<AdrFields>> = v.partial(
  v.object({ ...prose, status }),
)

export const adrFilters: v.ObjectEntries = { status }

export const adrs: Table = {
  name: 'adr',
  thing: 'ADR',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'adr_number', type: 'integer' }],
}
