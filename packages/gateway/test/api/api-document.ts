// The interface's own description, read from a running server: its requests and their possible
// answers.
import type { Route } from '@orrery/protocol'
import { ask, type Place } from '../player-client.ts'

/** The parts of a JSON schema that tests read. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly pattern?: string
}

/** One method of one path. */
export interface Endpoint {
  readonly method: string
  /** with parameters in braces */
  readonly template: string
  readonly access: Route<unknown>['access']
  readonly query: readonly Parameter[]
  readonly inPath: readonly Parameter[]
  /** the schema of the body; undefined when the route reads none */
  readonly body: Schema | undefined
  /** such as `404 E009`, and statuses of success such as `200` */
  readonly outcomes: ReadonlySet<string>
  readonly operation: Operation
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } }
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Content> }>>
}

interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** All endpoints of a server, but for streams, which do not end. */
export async function endpoints(place: Place): Promise<readonly Endpoint[]> {
  const { body } = await ask(place, 'GET', '/api/openapi.json')
  const document = body as Document
  const { schemas } = document.components
  const all = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      access: accessOf(operation),
      query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
      inPath: (operation.parameters ?? []).filter((parameter) => parameter.in === 'path'),
      body: resolved(operation.requestBody?.content['application/json'].schema, schemas),
      outcomes: new Set(Object.entries(operation.responses).flatMap(outcomesOf)),
      operation,
    })),
  )
  return all.filter(({ operation }) => !operation.responses['200']?.content?.['text/event-stream'])
}

function accessOf({ security = [] }: Operation): Endpoint['access'] {
  const names = new Set(security.flatMap((item) => Object.keys(item)))
  const access = (['player', 'service', 'admin'] as const).find((one) => names.has(one))
  return access ?? 'anybody'
}

function outcomesOf([status, { content = {} }]: [
  string,
  { readonly content?: Record<string, Content> },
]): readonly string[] {
  if (Number(status) < 300) return [status]
  return Object.values(content).flatMap(({ schema }) =>
    codesIn(schema).map((it) => `${status} ${it}`),
  )
}

function codesIn({ allOf = [], properties }: Schema): readonly string[] {
  const own = properties?.['error']?.properties?.['code']?.enum ?? []
  return [...own.map(String), ...allOf.flatMap(codesIn)]
}

/** The schema with every reference replaced by its target. */
function resolved(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): never
function resolved(part: unknown, schemas: Readonly<Record<string, Schema>>): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => resolved(item as never, schemas))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    return resolved(schemas[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)], schemas)
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, item]) => [key, resolved(item as never, schemas)]),
  )
}
