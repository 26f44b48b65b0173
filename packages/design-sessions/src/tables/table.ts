import { HttpError } from '@orrery/http'
import type { Fragment, ISql } from 'postgres'
import { notFound, unprocessable } from '../errors.ts'
import { noted } from './noted.ts'

export interface SortKey {
  /** a constant SQL expression */
  readonly by: string
  readonly type: 'text' | 'integer' | 'bigint' | 'uuid'
}

/** A table of records and the order of its lists. */
export interface Table {
  readonly name: string
  /** its name in messages */
  readonly thing: string
  readonly columns: readonly string[]
  /** columns that requests set, which a copy has too */
  readonly sent: readonly string[]
  /** the table its rows belong to */
  readonly parent?: { readonly table: Table; readonly column: string }
  /** unique as a whole */
  readonly order: readonly SortKey[]
  readonly descending?: boolean
}

/** The id of a row and, in a request below its parent, the parent's. */
export interface Place {
  readonly id: string
  readonly parentId?: string
}

/** A row with a revision that changes on every write. */
export type Stored<Shape> = Shape & { readonly revision: string }

/** The order of a table's lists, in SQL. */
export function orderOf({ order, descending = false }: Table): string {
  const keys = order.map(({ by, type }) => (type === 'text' ? by + COLLATION : by))
  return keys.map((key) => `${key} ${descending ? 'desc' : 'asc'}`).join(', ')
}

/** Accepted states of a row. */
export type Revision = readonly string[]

/** What postgres.js accepts as values; they are validated earlier. */
type Row = Record<string, string>

/** Order by code point is the same on every server. */
const COLLATION = ' collate "C"'

function shown(sql: ISql, table: Table): Fragment {
  return sql`${sql([...table.columns])}, ${sql(table.name)}.xmin::text as revision`
}

function at(sql: ISql, table: Table, { id, parentId }: Place): Fragment {
  return parentId === undefined || !table.parent
    ? sql`id = ${id}`
    : sql`id = ${id} and ${sql(table.parent.column)} = ${parentId}`
}

/** @throws {HttpError} 404 for a missing parent */
async function missing(sql: ISql, table: Table, place: Place): Promise<HttpError> {
  if (table.parent && place.parentId !== undefined) {
    await ensure(sql, table.parent.table, place.parentId)
  }
  return notFound(table.thing)
}

/** @throws {HttpError} 404 */
export async function ensure(sql: ISql, table: Table, id: string): Promise<void> {
  const [row] = await sql`select 1 from ${sql(table.name)} where id = ${id}`
  if (!row) throw notFound(table.thing)
}

/** @throws {HttpError} 404 for the row or its parent */
export async function one<Shape>(sql: ISql, table: Table, place: Place): Promise<Stored<Shape>> {
  const [row] = await sql<Stored<Shape>[]>`
    select ${shown(sql, table)} from ${sql(table.name)} where ${at(sql, table, place)}`
  if (row) return row
  throw await missing(sql, table, place)
}

export interface Page<Shape> {
  readonly rows: readonly Shape[]
  /** start of the next page; undefined after the last */
  readonly cursor: string | undefined
}

export interface ListOptions {
  readonly parentId?: string | undefined
  /** required values by column */
  readonly filters?: object
  readonly limit?: number | undefined
  /** limit of all texts together, except for the first row */
  readonly bytesMax?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * Rows in the table's order.
 *
 * @throws {HttpError} 404 for a missing parent; 422 for an invalid cursor
 */
export async function list<Shape>(
  sql: ISql,
  table: Table,
  { parentId, filters = {}, limit, bytesMax = Number.MAX_SAFE_INTEGER, cursor }: ListOptions = {},
): Promise<Page<Shape>> {
  const conditions = [sql`true`]
  conditions.push(
    ...Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => sql`and ${sql(column)} = ${value as string}`),
  )
  if (table.parent && parentId !== undefined) {
    conditions.push(sql`and ${sql(table.parent.column)} = ${parentId}`)
  }
  if (cursor !== undefined) conditions.push(after(sql, table, cursor))
  const order = orderOf(table)
  const mark = table.order.map(({ by }) => `(${by})::text`).join(', ')
  const columns = sql([...table.columns])
  // PostgreSQL stores the size of a long text beside it.
  const bytes = table.columns.map((name) => `coalesce(octet_length(${name}::text), 0)`).join('+')
  const found = await sql<(Shape & { cursor: string; found: number })[]>`
    select ${columns}, cursor, found from (
      select *, sum(bytes) over (order by place) as total, (count(*) over ())::int as found
      from (
        select ${columns}, json_build_array(${sql.unsafe(mark)})::text as cursor,
          ${sql.unsafe(bytes)} as bytes, row_number() over (order by ${sql.unsafe(order)}) as place
        from ${sql(table.name)} where ${conditions}
        order by ${sql.unsafe(order)} ${limit === undefined ? sql`` : sql`limit ${limit + 1}`}
      ) as part
    ) as measured
    where place = 1 or total <= ${bytesMax} order by place`
  if (found.length === 0 && table.parent && parentId !== undefined) {
    await ensure(sql, table.parent.table, parentId)
  }
  const page = found.slice(0, limit)
  const last = found.length > 0 && found[0].found > page.length ? page.at(-1) : undefined
  return {
    rows: page.map((row) => {
      const { cursor: _, found: __, ...shown } = row
      return shown as Shape
    }),
    cursor: last && Buffer.from(last.cursor).toString('base64url'),
  }
}

const CURSOR_VALUES: Readonly<Record<SortKey['type'], RegExp>> = {
  text: /^[^\0]*$/,
  integer: /^-?\d{1,10}$/,
  bigint: /^\d{1,18}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
}

function after(sql: ISql, table: Table, cursor: string): Fragment {
  const values = cursorValues(cursor)
  const isOne =
    values.length === table.order.length &&
    table.order.every(({ type }, i) => CURSOR_VALUES[type].test(values[i]))
  if (!isOne) {
    const loc = ['query', 'cursor']
    throw unprocessable([{ type: 'value_error', loc, msg: 'must come from a Link header' }])
  }
  const tuple = table.order.flatMap(({ by, type }, i) => [
    sql`${sql.unsafe(i === 0 ? '' : ',')} ${sql.unsafe(type === 'text' ? by + COLLATION : by)}`,
  ])
  const bounds = table.order.map(({ type }, i) => {
    // Ten digits can exceed an integer.
    const wide = type === 'integer' ? 'bigint' : type
    return sql`${sql.unsafe(i === 0 ? '' : ',')} ${values[i]}::text::${sql.unsafe(wide)}`
  })
  return sql`and (${tuple}) ${sql.unsafe(table.descending ? '<' : '>')} (${bounds})`
}

function cursorValues(cursor: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values.map(String) : []
  } catch {
    return []
  }
}

/** Inserts a row, and notes that in the audit trail. */
export async function insert<Shape>(
  sql: ISql,
  table: Table,
  values: object,
  action: 'create' | 'import' = 'create',
): Promise<Stored<Shape>> {
  const [row] = await sql<Stored<Shape>[]>`
    with changed as (
      insert into ${sql(table.name)} ${sql(values as Row)} returning ${shown(sql, table)}
    )
    select changed.* from changed, lateral ${noted(sql, table, action)}`
  return row
}

/**
 * Inserts rows in one statement, in their order; they may refer to each other. Its caller notes
 * what they are part of in the audit trail.
 *
 * @param rows  all with the columns of the first
 * @param returned  columns to return; none by default
 */
export async function insertAll<Shape extends object>(
  sql: ISql,
  table: Table,
  rows: readonly object[],
  returned: readonly string[] = [],
): Promise<readonly Shape[]> {
  if (rows.length === 0) return []
  const columns = sql(Object.keys(rows[0]))
  const returning = returned.length === 0 ? sql`` : sql`returning ${sql([...returned])}`
  return sql<Shape[]>`
    insert into ${sql(table.name)} (${columns})
    select ${columns}
    from jsonb_populate_recordset(null::${sql(table.name)}, ${sql.json(rows as never)})
    ${returning}`
}

/**
 * Changes columns of a row, and notes that in the audit trail; without changes it only reads it.
 *
 * @param revision  required state; any by default
 * @throws {HttpError} 404; 412 when it is in another state
 */
export async function update<Shape>(
  sql: ISql,
  table: Table,
  place: Place,
  changes: object,
  revision?: Revision,
): Promise<Stored<Shape>> {
  if (Object.keys(changes).length > 0) {
    const [row] = await sql<Stored<Shape>[]>`
      with changed as (
        update ${sql(table.name)} set ${sql(changes as Row)}
        where ${at(sql, table, place)} ${inState(sql, table, revision)}
        returning ${shown(sql, table)}
      )
      select changed.* from changed, lateral ${noted(sql, table, 'change', changes)}`
    if (row) return row
  }
  const found = await one<Shape>(sql, table, place)
  if (revision?.includes(found.revision) === false) throw changed()
  return found
}

/**
 * Removes a row, and notes that in the audit trail.
 *
 * @throws {HttpError} 404; 412 when the row is in another state
 */
export async function remove(
  sql: ISql,
  table: Table,
  place: Place,
  revision?: Revision,
): Promise<void> {
  const [row] = await sql`
    with changed as (
      delete from ${sql(table.name)}
      where ${at(sql, table, place)} ${inState(sql, table, revision)} returning *
    )
    select 1 from changed, lateral ${noted(sql, table, 'delete')}`
  if (row) return
  await one(sql, table, place)
  throw changed()
}

function inState(sql: ISql, table: Table, revision?: Revision): Fragment {
  if (revision === undefined) return sql``
  return sql`and ${sql(table.name)}.xmin::text = any(${[...revision]}::text[])`
}

function changed(): HttpError {
  return new HttpError(412, 'precondition_failed', 'The record has been changed since')
}
