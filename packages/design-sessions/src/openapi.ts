import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { Env, Hono, MiddlewareHandler } from 'hono'
import * as v from 'valibot'
import { codePointsMax } from './records/fields.ts'

/** What a route takes and answers, for people and programs that read the API's document. */
export interface Operation {
  /** one line */
  readonly summary: string
  readonly tag: OperationTag
  /** asked without a token even where one is set */
  readonly open?: boolean
  readonly body?: v.GenericSchema
  /** the body may be left out */
  readonly bodyOptional?: boolean
  /** a multipart field that holds a file */
  readonly file?: string
  /** an object; its values as they are after parsing */
  readonly query?: v.GenericSchema
  readonly success: {
    readonly status: 200 | 201 | 202 | 204
    readonly schema?: v.GenericSchema
    /** when it is no JSON */
    readonly type?: string
  }
  /** its own errors, each with its detail; 401, 413, 415, 422, 500 and 503 are added */
  readonly errors?: readonly (readonly [status: number, detail: string])[]
}

export type OperationTag =
  | 'clients'
  | 'projects'
  | 'versions'
  | 'questions'
  | 'decisions'
  | 'artifacts'
  | 'coverage'
  | 'inventory'
  | 'uploads'
  | 'templates'
  | 'knowledge'
  | 'workflow'
  | 'operations'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = Readonly<Record<string, Json>>

const descriptions = new WeakMap<object, Operation>()
const definitions: Record<string, v.GenericSchema> = {}

/** Describes the route it is put into; at requests it only steps aside. */
export function operation(description: Operation): MiddlewareHandler {
  const middleware: MiddlewareHandler = (_, next) => next()
  descriptions.set(middleware, description)
  return middleware
}

/** Gives a schema its name in the document: wherever it is used, it is referred to. */
export function named<const Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  definitions[name] = schema
  return schema
}

/**
 * The OpenAPI 3.1 document of all routes an app has by now.
 *
 * @throws {Error} naming the first route that is not described
 */
export function openApiDocument<E extends Env>(
  app: Hono<E>,
  info: { readonly title: string; readonly version: string; readonly description?: string },
): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [route, description] of describedRoutes(app)) {
    const [method, path] = route.split(' ')
    const template = path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
    paths[template] ??= {}
    paths[template][method.toLowerCase()] = operationObject(method, template, description)
  }
  return {
    openapi: '3.1.0',
    info: { ...info },
    paths,
    components: {
      schemas: { ...usedSchemas(paths), ...ERRORS },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** Each route, such as `GET /api/v1/clients`, with its description. */
function describedRoutes<E extends Env>(app: Hono<E>): Map<string, Operation> {
  const found = new Map<string, Operation | undefined>()
  for (const { method, path, handler } of app.routes) {
    // ALL is middleware.
    if (method === 'ALL') continue
    const route = `${method} ${path}`
    found.set(route, descriptions.get(handler) ?? found.get(route))
  }
  const described = new Map<string, Operation>()
  for (const [route, description] of found) {
    if (!description) throw new Error(`${route} is not described.`)
    described.set(route, description)
  }
  return described
}

function operationObject(method: string, template: string, description: Operation): JsonObject {
  const { summary, tag, open = false, body, bodyOptional = false, file, query } = description
  const id = `${method.toLowerCase()}${template.replaceAll(/\W+/g, '_')}`.replace(/_$/, '')
  const parameters = [...pathParameters(template), ...(query ? queryParameters(query) : [])]
  return {
    operationId: id,
    summary,
    tags: [tag],
    // No token may be set, so none may be needed.
    security: open ? [] : [{}, { token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: !bodyOptional, content: json(inlineSchema(body, 'input')) },
    }),
    ...(file !== undefined && { requestBody: { required: true, content: multipart(file) } }),
    responses: responses(description, template),
  }
}

function responses(description: Operation, template: string): JsonObject {
  const { body, file, query, success, errors = [], open = false } = description
  const { status, schema, type } = success
  const all: Record<string, Json> = {
    [status]: {
      description: 'Success',
      ...(schema && { content: json(inlineSchema(schema, 'output')) }),
      ...(type !== undefined && { content: { [type]: {} } }),
    },
  }
  const added: [number, string][] = [
    ...(open ? [] : [[401, 'Not authenticated'] satisfies [number, string]]),
    ...((body || file !== undefined
      ? [
          [413, 'Too many bytes'],
          [415, 'Another content type is needed'],
        ]
      : []) satisfies [number, string][]),
    [500, 'Internal Server Error'],
    [503, 'Not ready'],
  ]
  for (const [code, entries] of Map.groupBy([...errors, ...added], ([number]) => number)) {
    const details = [...new Set(entries.map(([, detail]) => detail))].join('; ')
    all[code] = { description: details, content: json({ $ref: `${SCHEMAS}Error` }) }
  }
  if (body || query || template.includes('_id}')) {
    const content = json({ $ref: `${SCHEMAS}ValidationError` })
    all['422'] = { description: 'What is wrong, place by place', content }
  }
  return all
}

function json(schema: Json): JsonObject {
  return { 'application/json': { schema } }
}

function multipart(field: string): JsonObject {
  const properties = { [field]: { type: 'string', contentMediaType: 'application/octet-stream' } }
  return { 'multipart/form-data': { schema: { type: 'object', required: [field], properties } } }
}

function pathParameters(template: string): JsonObject[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name.endsWith('_id') && { format: 'uuid' }) },
  }))
}

function queryParameters(query: v.GenericSchema): JsonObject[] {
  const { properties = {}, required = [] } = converted(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: schema as Json,
  }))
}

const ISSUE: JsonObject = {
  type: 'object',
  required: ['type', 'loc', 'msg'],
  properties: {
    type: { type: 'string' },
    loc: { type: 'array', items: { type: ['string', 'integer'] } },
    msg: { type: 'string' },
    input: {},
  },
}

const ERRORS: JsonObject = {
  Error: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
  ValidationError: {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'array', items: ISSUE } },
  },
}

const SCHEMAS = '#/components/schemas/'

// What JSON Schema cannot say (checks in code, normalising) is left out of the document.
const CONVERSION = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `${SCHEMAS}${referenceId}`,
  overrideSchema: ({ valibotSchema }: { valibotSchema: { readonly type: string } }) =>
    // JSON has no dates: they are written as texts.
    valibotSchema.type === 'date' ? ({ type: 'string', format: 'date-time' } as const) : undefined,
  overrideAction: ({
    valibotAction,
    jsonSchema,
  }: {
    valibotAction: object
    jsonSchema: JsonSchema
  }) => {
    const maxLength = codePointsMax.get(valibotAction)
    return maxLength === undefined ? undefined : { ...jsonSchema, maxLength }
  },
} as const

type TypeMode = 'input' | 'output'

/** A reference to a named schema, or the schema itself. */
function inlineSchema(schema: v.GenericSchema, typeMode: TypeMode): Json {
  const {
    $schema: _,
    $defs: __,
    ...inline
  } = toJsonSchema(schema, {
    ...CONVERSION,
    typeMode,
    definitions,
  })
  return inline as JsonObject
}

/** The schema itself, named or not. */
function converted(schema: v.GenericSchema, typeMode: TypeMode): JsonSchema {
  return toJsonSchemaDefs({ only: schema }, { ...CONVERSION, typeMode })['only']
}

/** The named schemas that a document refers to, and those that they refer to. */
function usedSchemas(paths: Json): JsonObject {
  const all = toJsonSchemaDefs(definitions, { ...CONVERSION, typeMode: 'output' })
  const used: Record<string, Json> = {}
  const collect = (part: Json): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name in ERRORS || name in used) continue
      used[name] = all[name] as JsonObject
      collect(used[name])
    }
  }
  collect(paths)
  return Object.fromEntries(Object.entries(used).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
