import * as v from 'valibot'
import { named } from '../openapi.ts'
import { id, shownText } from './fields.ts'
import type { Table } from './table.ts'

/**
 * A field of a record: one schema for what is sent and shown, where `optional` has the default of a
 * creation; or a schema for each use that the field has.
 */
type Field =
  | v.GenericSchema
  | {
      readonly shown: v.GenericSchema
      readonly create?: v.GenericSchema
      readonly update?: v.GenericSchema
    }

type Fields = Readonly<Record<string, Field>>

/** A schema without its default. */
type Bare<Schema> = Schema extends v.OptionalSchema<infer Inner, unknown> ? Inner : Schema

type Shown<Of> = Of extends { readonly shown: infer Schema } ? Schema : Bare<Of>

/** Keys of the fields that have a use. */
type Used<Of extends Fields, Use extends string> = {
  [Key in keyof Of]: Of[Key] extends { readonly shown: unknown }
    ? Of[Key] extends Readonly<Record<Use, v.GenericSchema>>
      ? Key
      : never
    : Key
}[keyof Of]

type CreateEntries<Of extends Fields> = {
  [Key in Used<Of, 'create'>]: Of[Key] extends {
    readonly create: infer Schema extends v.GenericSchema
  }
    ? Schema
    : Of[Key] extends v.GenericSchema
      ? Of[Key]
      : never
}

type UpdateEntries<Of extends Fields> = {
  [Key in Used<Of, 'update'>]: Of[Key] extends { readonly update: infer Schema }
    ? Schema
    : Bare<Of[Key]>
}

type Output<Schema> = Schema extends v.GenericSchema<unknown, infer Value> ? Value : never

/** Assigned by the service. */
export interface Assigned {
  readonly id: string
  /** on the wire ISO 8601 in UTC */
  readonly created_at: Date
  readonly updated_at: Date
}

type Shape<Of extends Fields, Parent extends string> = Assigned &
  Readonly<Record<Parent, string>> & { readonly [Key in keyof Of]: Output<Shown<Of[Key]>> }

/** A kind of records: its table, and the schemas of its answers and requests. */
export interface Kind<Row, Create, Update> extends Table {
  readonly schema: v.GenericSchema<unknown, Row>
  readonly create: v.GenericSchema<unknown, Create>
  readonly update: v.GenericSchema<unknown, Update>
  /** columns that lists can be filtered by */
  readonly filters: v.ObjectEntries
}

export type RowOf<Of> = Of extends Kind<infer Row, infer _, infer __> ? Row : never
export type CreateOf<Of> = Of extends Kind<infer _, infer Create, infer __> ? Create : never
export type UpdateOf<Of> = Of extends Kind<infer _, infer __, infer Update> ? Update : never

/** What declares a kind. */
interface Declaration<Of extends Fields, Parent extends string> extends Omit<
  Table,
  'columns' | 'sent' | 'parent'
> {
  readonly parent?: { readonly table: Table; readonly column: Parent }
  /** in the order of requests */
  readonly fields: Of
  /** in the order of answers; by default that of requests */
  readonly shown?: readonly (keyof Of & string)[]
  /** fields of answers that are not stored */
  readonly added?: v.ObjectEntries
  readonly filters?: v.ObjectEntries
}

/** Derives the columns and schemas of a kind from its fields. */
export function kind<const Of extends Fields, const Parent extends string = never>({
  fields,
  shown = Object.keys(fields),
  added = {},
  filters = {},
  ...table
}: Declaration<Of, Parent>): Kind<
  Shape<Of, Parent>,
  v.InferOutput<v.ObjectSchema<CreateEntries<Of>, undefined>>,
  Partial<{ readonly [Key in keyof UpdateEntries<Of>]: Output<UpdateEntries<Of>[Key]> | undefined }>
> {
  const entries = {
    id: id(),
    ...(table.parent && { [table.parent.column]: id() }),
    ...Object.fromEntries(shown.map((name) => [name, shownSchema(fields[name])])),
    created_at: v.date(),
    updated_at: v.date(),
  }
  const usedFor = (use: 'create' | 'update'): v.ObjectEntries =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const schema = 'shown' in field ? field[use] : field
        return schema ? [[name, use === 'update' ? bare(schema) : schema]] : []
      }),
    )
  const [created, changed] = [usedFor('create'), usedFor('update')]
  const name = table.thing
    .toLowerCase()
    .replaceAll(/(?:^| )(.)/g, (_, first: string) => first.toUpperCase())
  const derived = {
    columns: Object.keys(entries),
    sent: Object.keys(fields).filter((field) => field in created || field in changed),
    schema: named(name, v.object({ ...entries, ...added })),
    create: v.object(created),
    update: v.partial(v.object(changed)),
  }
  return { ...table, filters, ...derived } as never
}

function bare(schema: v.GenericSchema): v.GenericSchema {
  return schema.type === 'optional'
    ? (schema as v.OptionalSchema<v.GenericSchema, never>).wrapped
    : schema
}

function shownSchema(field: Field): v.GenericSchema {
  return 'shown' in field ? field.shown : shownText(bare(field))
}
