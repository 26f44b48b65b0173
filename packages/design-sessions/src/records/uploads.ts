import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Timestamps, id, integer, timestamps } from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

/** A file of a version; its bytes are on disk under its id. */
export interface Upload extends Timestamps {
  readonly id: string
  readonly version_id: string
  readonly original_filename: string
  readonly content_type: string
  readonly file_size: number
}

const entries = {
  id: id(),
  version_id: id(),
  original_filename: v.string(),
  content_type: v.string(),
  file_size: integer(),
  ...timestamps,
}

export const upload: v.GenericSchema<unknown, Upload> = named('Upload', v.object(entries))

export const uploads: Table = {
  name: 'upload',
  thing: 'Upload',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'ordinal', type: 'bigint' }],
  descending: true,
}
