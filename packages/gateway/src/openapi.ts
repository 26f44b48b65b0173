import * as protocol from '@orrery/protocol'
import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { Env, Hono, MiddlewareHandler } from 'hono'
import * as v from 'valibot'

/** What a route takes and answers, for people and programs that read the API's document. */
export interface Operation {
  /** one line */
  readonly summary: string
  readonly tag: OperationTag
  /** whose token it takes; documented here, checked elsewhere */
  readonly access: 'anybody' | 'player' | 'admin'
  readonly body?: v.GenericSchema
  /** an object; its values as they are after parsing */
  readonly query?: v.GenericSchema
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly schema?: v.GenericSchema }
  /** what else a status of an error may answer, beside the envelope */
  readonly others?: readonly (readonly [status: number, schema: v.GenericSchema])[]
  /** its own errors; those of tokens, bodies and the server itself are added */
  readonly errors?: readonly (readonly [status: number, code: protocol.ErrorCode])[]
}

export type OperationTag =
  | 'public'
  | 'player'
  | 'accounts'
  | 'game control'
  | 'snapshots'
  | 'world objects'
  | 'maneuvers'
  | 'operations'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = Readonly<Record<string, Json>>

const descriptions = new WeakMap<object, Operation>()

/** Describes the route it is put into; at requests it only steps aside. */
export function operation(description: Operation): MiddlewareHandler {
  const middleware: MiddlewareHandler = (_, next) => next()
  descriptions.set(middleware, description)
  return middleware
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
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] ??= {}
    paths[template][method.toLowerCase()] = operationObject(method, path, description)
  }
  return {
    openapi: '3.1.0',
    info: { ...info },
    paths,
    components: {
      schemas: { ...usedSchemas(paths), [ERROR]: errorSchema() },
      securitySchemes: {
        player: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'type player' },
        admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'type admin' },
      },
    },
  }
}

/** Each route, such as `GET /api/status`, with its description. */
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

function operationObject(method: string, path: string, description: Operation): JsonObject {
  const { summary, tag, access, body, query, success } = description
  const id = `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query) : [])]
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(access !== 'anybody' && { security: [{ [access]: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(inlineSchema(body, 'input')) } }),
    responses: {
      [success.status]: {
        description: 'Success',
        ...(success.schema && { content: json(inlineSchema(success.schema, 'output')) }),
      },
      ...errorResponses(description),
    },
  }
}

function json(schema: Json): JsonObject {
  return { 'application/json': { schema } }
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(query: v.GenericSchema): JsonObject[] {
  const { properties = {}, required = [] } = converted(query, 'output')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: schema as Json,
  }))
}

const SERVER_ERRORS: readonly (readonly [number, protocol.ErrorCode])[] = [
  [500, 'E008'],
  [503, 'E008'],
]
const BODY_ERRORS: readonly (readonly [number, protocol.ErrorCode])[] = [
  [400, 'E001'],
  [413, 'E001'],
  [415, 'E001'],
]

function errorResponses({ access, body, query, errors = [], others = [] }: Operation): JsonObject {
  const all: (readonly [number, protocol.ErrorCode])[] = [
    ...errors,
    ...(access === 'anybody' ? [] : [[401, 'E005'] as const]),
    ...(body ? BODY_ERRORS : []),
    ...(query ? [[400, 'E001'] as const] : []),
    ...SERVER_ERRORS,
  ]
  const other = new Map(others)
  const responses: Record<string, Json> = {}
  for (const [status, entries] of Map.groupBy(all, ([number]) => number)) {
    const codes = [...new Set(entries.map(([, code]) => code))].toSorted()
    const envelope: Json = {
      allOf: [
        { $ref: `${SCHEMAS}${ERROR}` },
        { properties: { error: { properties: { code: { enum: codes } } } } },
      ],
    }
    const schema = other.get(status)
    responses[status] = {
      description: codes.map((code) => `${code}: ${protocol.ERRORS[code].meaning}`).join('; '),
      content: json(schema ? { anyOf: [inlineSchema(schema, 'output'), envelope] } : envelope),
    }
  }
  return responses
}

const ERROR = 'Error'

function errorSchema(): JsonObject {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: Object.keys(protocol.ERRORS) },
          message: { type: 'string' },
        },
      },
    },
  }
}

const SCHEMAS = '#/components/schemas/'

/** Every schema that the protocol exports, by its name with a capital. */
function namedSchemas(): Record<string, v.GenericSchema> {
  const named: Record<string, v.GenericSchema> = {}
  for (const [name, value] of Object.entries(protocol)) {
    if (isSchema(value)) named[name[0].toUpperCase() + name.slice(1)] = value
  }
  return named
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}

const DEFINITIONS = namedSchemas()

// What JSON Schema cannot say (checks in code, normalising) is left out of the document.
const CONVERSION = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `${SCHEMAS}${referenceId}`,
} as const

type TypeMode = 'input' | 'output'

/** A reference to a named schema, or the schema itself. */
function inlineSchema(schema: v.GenericSchema, typeMode: TypeMode): Json {
  const options = { ...CONVERSION, typeMode, definitions: DEFINITIONS }
  const { $schema: _, $defs: __, ...inline } = toJsonSchema(schema, options)
  return inline as JsonObject
}

/** The schema itself, named or not. */
function converted(schema: v.GenericSchema, typeMode: TypeMode): JsonSchema {
  return toJsonSchemaDefs({ only: schema }, { ...CONVERSION, typeMode })['only']
}

/** The named schemas that a document refers to, and those that they refer to. */
function usedSchemas(paths: Json): JsonObject {
  const all = toJsonSchemaDefs(DEFINITIONS, { ...CONVERSION, typeMode: 'output' })
  const used: Record<string, Json> = {}
  const collect = (part: Json): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === ERROR || name in used) continue
      used[name] = all[name] as JsonObject
      collect(used[name])
    }
  }
  collect(paths)
  return Object.fromEntries(Object.entries(used).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
