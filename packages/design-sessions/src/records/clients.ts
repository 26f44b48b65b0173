import * as v from 'valibot'
import { filled, jsonObject, orNull, text } from '../tables/fields.ts'
import { type RowOf, kind } from '../tables/kind.ts'

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

/** A customer. */
export const clients = kind({
  name: 'client',
  thing: 'Client',
  order: [
    { by: 'name', type: 'text' },
    { by: 'id', type: 'uuid' },
  ],
  fields: {
    name: filled(NAME_MAX),
    /** derived from the name, unique */
    slug: { shown: v.string() },
    logo_path: {
      shown: v.nullable(v.string()),
      create: orNull(logo),
      update: v.nullable(logo),
    },
    metadata: {
      shown: v.record(v.string(), v.unknown()),
      create: v.optional(jsonObject(), {}),
      update: jsonObject(),
    },
  },
})

export type Client = RowOf<typeof clients>
