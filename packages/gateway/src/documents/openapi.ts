import type { Engine } from '@orrery/engine'
import {
  ApiDescription,
  type JsonObject,
  NamedSchemas,
  type RouteDescription,
  type RouteError,
  schemaReference,
} from '@orrery/http'
import * as protocol from '@orrery/protocol'
import { type Env, type Handler, Hono, type MiddlewareHandler } from 'hono'
import type * as v from 'valibot'
import { describedFields } from './described-fields.ts'
import { withExamples } from './example-bodies.ts'
import { documentOf, withModuleCommands } from './module-commands.ts'

/** What a route takes and answers, for the API's document. */
export interface Operation extends RouteDescription {
  readonly tag: keyof typeof TAGS
  /** the token it needs; documented here, checked by the route */
  readonly access: protocol.Route<unknown>['access']
  /** further bodies of an error status, beside the envelope */
  readonly others?: readonly (readonly [status: number, schema: v.GenericSchema])[]
  /** its own errors; those of tokens, bodies and the server are added */
  readonly errors?: readonly RouteError<protocol.ErrorCode>[]
}

const TAGS = {
  public: 'What needs no token: registration, logins, star systems, documents.',
  player: "A player's own ship, its rules, and the account.",
  accounts: 'Players and admins.',
  'game control': 'Pause, rates, clock, registration and reset of the game.',
  snapshots: 'Stored worlds, their restore, and backups.',
  'world objects': 'Star systems, stations and jump gates, and transfers of ships.',
  maneuvers: 'The log of maneuvers.',
  services: 'Programs beside the server: their tokens, and what these open.',
  operations: 'Health, metrics, load and audit of the server.',
} as const

const TOKEN_ERRORS: readonly RouteError<protocol.ErrorCode>[] = [
  [401, 'E005'],
  [429, 'E004'],
]
const BODY_ERRORS: readonly RouteError<protocol.ErrorCode>[] = [
  [413, 'E001'],
  [415, 'E001'],
]
const COMMON_ERRORS: readonly RouteError<protocol.ErrorCode>[] = [
  [400, 'E001'],
  [500, 'E008'],
  [503, 'E008'],
]

const ERROR_SCHEMA: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(protocol.ERRORS) },
        message: { type: 'string' },
        refusal: schemaReference('ModuleRefusal'),
      },
    },
  },
}

const schemas = new NamedSchemas(protocolSchemas(), {
  // Some readers of documents need `items` at every array.
  overrideSchema: ({ valibotSchema: { type }, jsonSchema }) =>
    type === 'tuple' ? { ...jsonSchema, items: {}, maxItems: jsonSchema.minItems } : undefined,
})

/** The game's API, in its own errors and tokens. */
const api: ApiDescription<Operation, protocol.ErrorCode> = new ApiDescription({
  info: {
    title: 'Orrery',
    version: '1',
    description:
      'A multiplayer space simulation: accounts and ships of players, and controls for admins. ' +
      'What happens in the world is sent over the WebSocket at `/ws`, which ' +
      '`/api/asyncapi.json` describes. Values are in SI units, vectors on ICRF axes.',
  },
  tags: TAGS,
  schemas,
  errorSchemas: { Error: ERROR_SCHEMA },
  securitySchemes: {
    player: bearer('The `token` of a login or registration.'),
    admin: bearer('The `admin_token` of a login, or the `token` of a login as an admin.'),
    service: {
      type: 'http',
      scheme: 'bearer',
      description: 'The `token` that an admin made for a program beside the server.',
    },
  },
  security: ({ access }) => (access === 'anybody' ? [] : [{ [access]: [] }]),
  queryMode: 'output',
  errors: ({ access, body, errors = [] }) => [
    ...errors,
    ...(access === 'anybody' ? [] : TOKEN_ERRORS),
    ...(body ? BODY_ERRORS : []),
    ...COMMON_ERRORS,
  ],
  errorAnswer: (reasons, status, { others }) => {
    const codes = reasons.toSorted()
    const envelope = {
      allOf: [
        schemaReference('Error'),
        { properties: { error: { properties: { code: { enum: codes } } } } },
      ],
    }
    const other = new Map(others).get(status)
    return {
      description: codes.map((code) => `${code}: ${protocol.ERRORS[code].meaning}`).join('; '),
      schema: other ? { anyOf: [schemas.inline(other, 'output'), envelope] } : envelope,
    }
  },
})

function bearer(description: string): JsonObject {
  return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
}

/** Middleware that describes its route, and does nothing at requests. */
export function operation(id: string, description: Omit<Operation, 'id'>): MiddlewareHandler {
  return api.operation({ id, ...description })
}

type Declared = typeof protocol.api
type PartsOf<R> = R extends protocol.Route<unknown, infer Parts> ? Parts : never
type SchemasOf<Parts> = (Parts extends { readonly body: infer Body extends object }
  ? { readonly body: v.GenericSchema<Body> }
  : unknown) &
  (Parts extends { readonly query: infer Query extends object }
    ? { readonly query: v.GenericSchema<unknown, Query> }
    : unknown)

/** What the document has of a declared route beside its declaration. */
type Words<R> = Pick<Operation, 'summary' | 'description' | 'tag' | 'errors' | 'headers'> &
  SchemasOf<PartsOf<R>>

/** The path of a handler: it has the route's parameter. */
type PathOf<Parts> = Parts extends { readonly path: infer Name extends string } ? `/:${Name}` : '/'

/**
 * Answers a declared route and describes it; its name is the id of the operation.
 *
 * @param before  middleware of this route alone
 */
export function serve<E extends Env, Id extends keyof Declared>(
  app: Hono<E>,
  id: Id,
  words: Words<Declared[Id]>,
  handler: Handler<E, PathOf<PartsOf<Declared[Id]>>>,
  before: readonly MiddlewareHandler<E>[] = [],
): void {
  const route: protocol.Route<unknown> = protocol.api[id]
  const [method, path] = route.request.split(' ')
  const described = operation(id, { ...words, access: route.access, success: successOf(route) })
  app.on(method, path, described, ...before, handler)
}

function successOf({ status, answer, form }: protocol.Route<unknown>): Operation['success'] {
  if (status === 204 || form === 'text') return { status }
  return form === 'bytes'
    ? { status, type: 'application/octet-stream' }
    : { status, schema: answer as v.GenericSchema }
}

/** Serves the document, with the commands of the world's modules. */
export function openApiRoutes(app: Hono, engine: Pick<Engine, 'universe'>): Hono {
  const document = documentOf(engine, (modules) =>
    withModuleCommands(describedFields(withExamples(api.document(app))), modules),
  )
  return new Hono().get(
    '/api/openapi.json',
    operation('readOpenApi', {
      summary: 'This document',
      description: 'Describes every route in OpenAPI 3.1, from the schemas that check requests.',
      tag: 'public',
      access: 'anybody',
      success: { status: 200 },
    }),
    (context) => context.body(document(), 200, { 'content-type': 'application/json' }),
  )
}

/** The exported schemas of the protocol, by capitalised name. */
export function protocolSchemas(): Record<string, v.GenericSchema> {
  const named: Record<string, v.GenericSchema> = {}
  for (const [name, value] of Object.entries(protocol)) {
    if (isSchema(value)) named[name[0].toUpperCase() + name.slice(1)] = value
  }
  return named
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
