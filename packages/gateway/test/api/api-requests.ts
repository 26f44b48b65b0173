// Requests of an operation, made up from what the API's document says of it.
import { randomUUID } from 'node:crypto'
import type { AdminSession } from '../accounts/admin-session.ts'
import { type Ask, PASSWORD } from '../player-client.ts'
import { ADMIN } from '../server-process.ts'

/** A JSON Schema, as far as requests are made up from it. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
}

interface Described {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface Content {
  readonly 'application/json'?: { readonly schema: Schema }
}

/** The document, as far as it is read here. */
export interface Api {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface ApiOperation extends Described {
  readonly method: string
  readonly path: string
  /** whose token; undefined for anybody */
  readonly access: 'player' | 'admin' | undefined
}

export interface ApiRequest {
  readonly url: string
  readonly body?: Pick<Ask, 'text' | 'headers'>
}

/** What is known beside the document. */
export interface Known {
  readonly session: AdminSession
  /** ids by their names, from earlier answers */
  readonly harvest: ReadonlyMap<string, string | number>
}

/** Ways to fill what has a name in a schema or path, the wrong kind of thing not among them. */
function candidates(name: string, schema: Schema, { session, harvest }: Known): unknown[] {
  const found = harvest.get(name)
  const known: Record<string, unknown[]> = {
    username: [session.newName(), ADMIN.username],
    password: [PASSWORD, ADMIN.password],
    current_password: [PASSWORD],
    new_password: [PASSWORD],
    player_id: [session.chief.player_id],
    admin_id: [session.chief.player_id],
    system_id: ['sol', 'alpha_centauri', 'alpha-centauri'],
    name: ['Some Object'],
    parent_body: ['Earth'],
    primary_body: ['Earth'],
    secondary_body: ['Moon'],
    altitude: [400_000],
    tick_rate: [1],
    time_scale: [1],
  }
  if (name in known || found !== undefined) {
    return [...(known[name] ?? []), ...(found === undefined ? [] : [found])]
  }
  if (schema.enum) return [...schema.enum]
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [false, true]
  if (schema.type === 'integer' || schema.type === 'number') return [schema.minimum ?? 1]
  return ['anything']
}

/** Nothing an operation should stumble over. */
const JUNK: readonly unknown[] = [null, true, -1, 1e300, 0.5, '', 'x'.repeat(3000), [], {}, '\0']

export function* requestsOf(
  operation: ApiOperation,
  api: Api,
  known: Known,
): Generator<ApiRequest, void> {
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : api.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  const schema = operation.requestBody?.content['application/json']?.schema
  const { properties = {}, required = [] } = schema ? resolved(schema) : {}
  const fields = Object.entries(properties).map(([name, field]) => [name, resolved(field)] as const)
  const bodies = (): object[] => {
    const needed = fields.filter(([name]) => required.includes(name))
    const whole = product(needed, known)
    const others = fields.filter(([name]) => !required.includes(name))
    const more = others.flatMap(([name, field]) =>
      candidates(name, field, known).map((value) => ({ ...whole.at(-1), [name]: value })),
    )
    return [...whole, ...more]
  }
  const urls = [...urlsOf(operation, known)]
  for (const url of urls) {
    if (!schema) yield { url }
    else for (const body of bodies()) yield { url, body: json(body) }
  }
  const [url] = urls
  if (!schema) return
  for (const text of ['', '{', '[]', 'null', '{}', '"text"', `{"a":"${'x'.repeat(70_000)}"}`]) {
    yield { url, body: { text } }
  }
  yield { url, body: { ...json({}), headers: { 'content-type': 'text/plain' } } }
  const [good = {}] = bodies()
  for (const [name] of fields) {
    for (const value of JUNK) yield { url, body: json({ ...good, [name]: value }) }
  }
}

function json(body: object): { text: string } {
  return { text: JSON.stringify(body) }
}

/** An object for each choice of its fields. */
function product(fields: readonly (readonly [string, Schema])[], known: Known): object[] {
  return fields.reduce<object[]>(
    (partial, [name, field]) =>
      candidates(name, field, known).flatMap((value) =>
        partial.map((object) => ({ ...object, [name]: value })),
      ),
    [{}],
  )
}

function* urlsOf({ path, parameters = [] }: ApiOperation, known: Known): Generator<string, void> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const paths = inPath.reduce<string[]>(
    (partial, { name, schema }) =>
      [...candidates(name, schema, known), randomUUID(), 'no-uuid'].flatMap((value) =>
        partial.map((url) => url.replace(`{${name}}`, String(value))),
      ),
    [path],
  )
  const needed = inQuery.filter(({ required }) => required)
  const queryOf = (values: object): string =>
    new URLSearchParams(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    ).toString()
  const queries = product(
    needed.map(({ name, schema }) => [name, schema]),
    known,
  )
  for (const url of paths) {
    for (const query of queries) yield [url, queryOf(query)].filter(Boolean).join('?')
  }
  for (const { name, schema } of inQuery) {
    for (const value of [...candidates(name, schema, known), ...JUNK]) {
      yield `${paths[0]}?${queryOf({ ...queries[0], [name]: value })}`
    }
  }
}
