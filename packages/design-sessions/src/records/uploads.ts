import * as v from 'valibot'
import { integer } from '../tables/fields.ts'
import { type RowOf, kind } from '../tables/kind.ts'
import { versions } from './versions.ts'

/** Bytes of one file. */
export const UPLOAD_BYTES_MAX = 104_857_600

/** Files of a version; their bytes are on disk under their ids. */
export const uploads = kind({
  name: 'upload',
  thing: 'Upload',
  parent: { table: versions, column: 'version_id' },
  order: [{ by: 'ordinal', type: 'bigint' }],
  descending: true,
  fields: {
    original_filename: { shown: v.string() },
    content_type: { shown: v.string() },
    file_size: { shown: integer() },
  },
})

export type Upload = RowOf<typeof uploads>
