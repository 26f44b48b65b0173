import * as v from 'valibot'
import { named } from '../openapi.ts'
import {
  type Changes,
  type Timestamps,
  filled,
  id,
  integer,
  orNull,
  text,
  timestamps,
} from './fields.ts'
import type { Table } from './table.ts'
import { versions } from './versions.ts'

const NAME_MAX = 255
const DATA_TYPE_MAX = 50

/** Characters of raw data; a longer text exceeds the limit of a body. */
const DATA_MAX = 1_000_000

export interface InventoryFields {
  readonly name: string
  readonly description: string | null
  /** any word, such as `server_list` */
  readonly data_type: string
  /** CSV, JSON or text, unchanged */
  readonly data: string
  readonly sort_order: number
}

/** Raw data about existing systems, such as a list of servers. */
export interface InventoryItem extends InventoryFields, Timestamps {
  readonly id: string
  readonly version_id: string
}

const entries = {
  id: id(),
  version_id: id(),
  name: v.string(),
  description: v.nullable(v.string()),
  data_type: v.string(),
  data: v.string(),
  sort_order: integer(),
  ...timestamps,
}

export const inventoryItem: v.GenericSchema<unknown, InventoryItem> = named(
  'InventoryItem',
  v.object(entries),
)

export const inventoryCreate: v.GenericSchema<unknown, InventoryFields> = v.object({
  name: filled(NAME_MAX),
  description: orNull(text()),
  data_type: v.optional(filled(DATA_TYPE_MAX), 'custom'),
  data: text(DATA_MAX),
  sort_order: v.optional(integer(), 0),
})

export const inventoryUpdate: v.GenericSchema<unknown, Changes<InventoryFields>> = v.partial(
  v.object({
    name: filled(NAME_MAX),
    description: v.nullable(text()),
    data_type: filled(DATA_TYPE_MAX),
    data: text(DATA_MAX),
    sort_order: integer(),
  }),
)

export const inventoryFilters: v.ObjectEntries = { data_type: text(DATA_TYPE_MAX) }

export const inventoryItems: Table = {
  name: 'inventory_item',
  thing: 'Inventory item',
  columns: Object.keys(entries),
  parent: { table: versions, column: 'version_id' },
  order: [
    { by: 'sort_order', type: 'integer' },
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
}
