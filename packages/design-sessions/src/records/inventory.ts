import * as v from 'valibot'
import { filled, integer, orNull, text } from '../tables/fields.ts'
import { type CreateOf, type RowOf, kind } from '../tables/kind.ts'
import { versions } from './versions.ts'

const NAME_MAX = 255
const DATA_TYPE_MAX = 50

/** Characters of raw data; a longer text exceeds the limit of a body. */
const DATA_MAX = 1_000_000

/** Raw data about existing systems, such as a list of servers. */
export const inventoryItems = kind({
  name: 'inventory_item',
  thing: 'Inventory item',
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'sort_order', type: 'integer' },
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
  fields: {
    name: filled(NAME_MAX),
    description: orNull(text()),
    /** any word, such as `server_list` */
    data_type: v.optional(filled(DATA_TYPE_MAX), 'custom'),
    /** CSV, JSON or text, unchanged */
    data: text(DATA_MAX),
    sort_order: v.optional(integer(), 0),
  },
  filters: { data_type: text(DATA_TYPE_MAX) },
})

export type InventoryItem = RowOf<typeof inventoryItems>
export type NewInventoryItem = CreateOf<typeof inventoryItems>
