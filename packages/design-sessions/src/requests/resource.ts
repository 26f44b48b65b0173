import { type Context, Hono } from 'hono'
import { Readable } from 'node:stream'
import type postgres from 'postgres'
import * as v from 'valibot'
import { body, pathId, query } from '../errors.ts'
import { type OperationTag, operation } from '../openapi.ts'
import { count } from '../tables/fields.ts'
import type { Kind } from '../tables/kind.ts'
import * as records from '../tables/table.ts'
import type { Page } from '../tables/table.ts'

/** Rows of a page. */
const LIMIT_MAX = 1000

export const page = { limit: v.optional(count(LIMIT_MAX)), cursor: v.optional(v.string()) }

/** Actions that differ from the table's own. */
export interface Actions<Create, Update> {
  /** @param parentId  empty without a parent */
  readonly create: (values: Create, parentId: string, context: Context) => Promise<object>
  readonly update: (
    place: records.Place,
    changes: Update,
    revision: records.Revision | undefined,
    context: Context,
  ) => Promise<object>
  /** changes a row before it is answered, when it was only read */
  readonly shown: (row: object) => object
  readonly remove: (place: records.Place, revision: records.Revision | undefined) => Promise<void>
}

/** A kind of records and its routes. */
export interface Resource<Create, Update> {
  readonly sql: postgres.Sql
  readonly kind: Kind<unknown, Create, Update>
  /** of lists, such as `/versions/:version_id/adrs` */
  readonly path: string
  /** of the item in its path, such as `adr_id` */
  readonly parameter: string
  readonly tag: OperationTag
  /** parameters of creation, parsed by `actions.create` */
  readonly createQuery?: v.GenericSchema
  readonly actions?: Partial<Actions<Create, Update>>
  /** error when a unique field is taken */
  readonly clash?: string
  /** further error of creation */
  readonly forbidden?: string
  /** a media type that other routes accept and answer */
  readonly otherType?: string
  readonly removable: boolean
}

/** Routes to list, create, read, change and remove records of one kind. */
export function resourceRoutes<Create extends object, Update extends object>(
  resource: Resource<Create, Update>,
): Hono {
  const routes = new Hono()
  addCollection(routes, resource)
  addItem(routes, resource)
  return routes
}

function addCollection<Create extends object, Update>(
  routes: Hono,
  resource: Resource<Create, Update>,
): void {
  const { sql, kind: table, path, tag, actions = {} } = resource
  const { schema, create: createSchema, filters } = table
  const { shown = (row) => row } = actions
  const create =
    actions.create ??
    ((values, parentId) =>
      records.insert(sql, table, {
        ...values,
        ...(table.parent && { [table.parent.column]: parentId }),
      }))
  const { id, thing, one } = namesOf(table)
  const other = otherTypes(resource)
  const noParent = parentMissing(table)
  const conflicts = [resource.clash, resource.forbidden].filter((text) => text !== undefined)
  const listQuery = v.object({ ...v.partial(v.object(filters)).entries, ...page })
  routes.get(
    path,
    operation(`list${id}s`, tag, {
      summary: `List ${thing}s`,
      description: `All ${thing}s, or with \`limit\` a page; \`Link\` has the next one.`,
      query: listQuery,
      success: { status: 200, schema: v.array(schema), ...other.answer },
      errors: noParent,
    }),
    async (context) => {
      const parentId = parentOf(context, resource)
      const { limit, cursor, ...filters } = query(context, listQuery)
      return listAnswer(context, { limit, cursor }, async (part) => {
        const found = await records.list<object>(sql, table, { parentId, filters, ...part })
        return { ...found, rows: found.rows.map(shown) }
      })
    },
  )
  routes.post(
    path,
    operation(`create${id}`, tag, {
      summary: `Create ${one}`,
      description: 'Absent fields get their defaults.',
      body: createSchema,
      ...other.body,
      ...(resource.createQuery && { query: resource.createQuery }),
      success: { status: 201, schema },
      errors: [...noParent, ...conflicts.map((text) => [409, text] as const)],
    }),
    async (context) => {
      const parentId = parentOf(context, resource) ?? ''
      const row = await create(await body(context, createSchema), parentId, context)
      return answer(context, row, 201)
    },
  )
}

function addItem<Create, Update extends object>(
  routes: Hono,
  resource: Resource<Create, Update>,
): void {
  const { sql, kind: table, path, parameter, tag, actions = {} } = resource
  const { schema, update: updateSchema } = table
  const { shown = (row) => row } = actions
  const update =
    actions.update ??
    ((place, changes, revision) => records.update(sql, table, place, { ...changes }, revision))
  const remove =
    actions.remove ?? ((place, revision) => records.remove(sql, table, place, revision))
  const { id, one } = namesOf(table)
  const item = `${path}/:${parameter}`
  const missing = [...parentMissing(table), [404, `${table.thing} not found`] as const]
  const changed = [412, 'The record has been changed since `If-Match`'] as const
  const clash = resource.clash === undefined ? [] : [[409, resource.clash] as const]
  const placeOf = (context: Context): records.Place => {
    const parentId = parentOf(context, resource)
    return { id: pathId(context, parameter), ...(parentId !== undefined && { parentId }) }
  }
  routes.get(
    item,
    operation(`read${id}`, tag, {
      summary: `Read ${one}`,
      description: '`ETag` has its revision.',
      success: { status: 200, schema, ...otherTypes(resource).answer },
      errors: missing,
    }),
    async (context) =>
      answer(context, shown(await records.one<object>(sql, table, placeOf(context))), 200),
  )
  routes.patch(
    item,
    operation(`change${id}`, tag, {
      summary: `Change ${one}`,
      description: 'Changes the fields that are sent; with `If-Match`, only of that revision.',
      body: updateSchema,
      success: { status: 200, schema },
      errors: [...missing, changed, ...clash],
    }),
    async (context) => {
      const place = placeOf(context)
      const changes = await body(context, updateSchema)
      return answer(context, await update(place, changes, revisionOf(context), context), 200)
    },
  )
  if (!resource.removable) return
  routes.delete(
    item,
    operation(`delete${id}`, tag, {
      summary: `Delete ${one}`,
      description: 'Deletes all that belongs to it, too; with `If-Match`, only that revision.',
      success: { status: 204 },
      errors: [...missing, changed],
    }),
    async (context) => {
      await remove(placeOf(context), revisionOf(context))
      return context.body(null, 204)
    },
  )
}

/** A kind of records in ids and texts: `CoverageItem`, `coverage item`, `a coverage item`. */
function namesOf({ thing: title }: records.Table): Record<'id' | 'thing' | 'one', string> {
  const id = title
    .toLowerCase()
    .replaceAll(/(?:^| )(.)/g, (_, first: string) => first.toUpperCase())
  const thing = title === 'ADR' ? title : title.toLowerCase()
  return { id, thing, one: `${/^[aeiou]/i.test(thing) ? 'an' : 'a'} ${thing}` }
}

function otherTypes({ otherType: type }: Pick<Resource<never, never>, 'otherType'>): {
  readonly answer?: { readonly type: string }
  readonly body?: { readonly bytes: string }
} {
  return type === undefined ? {} : { answer: { type }, body: { bytes: type } }
}

function parentMissing({ parent }: records.Table): (readonly [404, string])[] {
  return parent ? [[404, `${parent.table.thing} not found`]] : []
}

/** One record as JSON; its revision is the `ETag`. */
export function answer(context: Context, row: object, status: 200 | 201 | 202): Response {
  const { revision, ...shown } = row as { readonly revision?: string }
  if (revision !== undefined) context.header('ETag', `"${revision}"`)
  return context.json(shown, status)
}

/** The revisions in `If-Match`; undefined for any. */
export function revisionOf(context: Context): records.Revision | undefined {
  const tags = context.req.header('if-match')?.trim()
  if (tags === undefined || tags === '*') return undefined
  return tags.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'))
}

/** The id of a record and of its version, in the path. */
export function placeInVersion(context: Context, parameter: string): Required<records.Place> {
  return { id: pathId(context, parameter), parentId: pathId(context, 'version_id') }
}

/** The first parameter of the path. */
function parentOf(
  context: Context,
  { path }: Pick<Resource<never, never>, 'path'>,
): string | undefined {
  const name = /:(\w+)/.exec(path)?.[1]
  return name === undefined ? undefined : pathId(context, name)
}

/** Bytes of texts in one page, and of one read of a longer list. */
const PAGE_BYTES_MAX = 2 * 1_048_576

export interface PageRequest {
  readonly limit: number
  readonly bytesMax: number
  readonly cursor: string | undefined
}

/** without a limit the whole list */
export interface ListRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * Answers a list as one array: a page with the next one in `Link`, or everything. A long list is
 * streamed in parts.
 */
export async function listAnswer(
  context: Context,
  { limit, cursor }: ListRequest,
  read: (part: PageRequest) => Promise<Page<object>>,
): Promise<Response> {
  const part = { limit: limit ?? LIMIT_MAX, bytesMax: PAGE_BYTES_MAX }
  const first = await read({ ...part, cursor })
  if (first.cursor === undefined) return context.json(first.rows)
  if (limit !== undefined) {
    context.header('Link', nextLink(context, first.cursor))
    return context.json(first.rows)
  }
  const texts = arrayText(first, (next) => read({ ...part, cursor: next }))
  const bytes = Readable.toWeb(Readable.from(texts)) as ReadableStream
  return context.body(bytes, 200, { 'Content-Type': 'application/json' })
}

async function* arrayText(
  first: Page<object>,
  read: (cursor: string) => Promise<Page<object>>,
): AsyncGenerator<Buffer> {
  let opening = '['
  for (let page = first; ;) {
    yield Buffer.from(opening + JSON.stringify(page.rows).slice(1, -1))
    if (page.cursor === undefined) break
    page = await read(page.cursor)
    // The remaining rows may have been removed.
    opening = page.rows.length > 0 ? ',' : ''
  }
  yield Buffer.from(']')
}

function nextLink({ req }: Context, cursor: string): string {
  const { pathname, searchParams } = new URL(req.url)
  searchParams.set('cursor', cursor)
  return `<${pathname}?${searchParams.toString()}>; rel="next"`
}
