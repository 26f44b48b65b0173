import * as v from 'valibot'
import { named } from '../openapi.ts'
import {
  type Changes,
  type Timestamps,
  filled,
  id,
  jsonObject,
  orNull,
  text,
  timestamps,
} from './fields.ts'
import type { Table } from './table.ts'

const NAME_MAX = 255
const LOGO_PATH_MAX = 500
const LOGO_DATA_MAX = 200_000

const isPicture = (logo: string): boolean => logo.startsWith('data:image/')

/** The name of an upload, or a data URI. */
const logo = v.pipe(
  text(LOGO_DATA_MAX),
  v.check(
    (path) => path.length <= LOGO_PATH_MAX || isPicture(path),
    `must have at most ${LOGO_PATH_MAX} characters`,
  ),
  v.check(
    (path) => !/[\\/]|^(?:data|file|https?):/i.test(path) || isPicture(path),
    'must be the name of an upload or a data URI of a picture, no path and no address',
  ),
)

export interface ClientFields {
  readonly name: string
  readonly logo_path: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A customer. */
export interface Client extends ClientFields, Timestamps {
  readonly id: string
  /** derived from the name, unique */
  readonly slug: string
}

const entries = {
  id: id(),
  name: v.string(),
  slug: v.string(),
  logo_path: v.nullable(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  ...timestamps,
}

export const client: v.GenericSchema<unknown, Client> = named('Client', v.object(entries))

export const clientCreate: v.GenericSchema<unknown, ClientFields> = v.object({
  name: filled(NAME_MAX),
  logo_path: orNull(logo),
  metadata: v.optional(jsonObject(), {}),
})

export const clientUpdate: v.GenericSchema<unknown, Changes<ClientFields>> = v.partial(
  v.object({
    name: filled(NAME_MAX),
    logo_path: v.nullable(logo),
    metadata: jsonObject(),
  }),
)

export const clients: Table = {
  name: 'client',
  thing: 'Client',
  columns: Object.keys(entries),
  order: [
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
}
