import {
  ApiDescription,
  type JsonObject,
  NamedSchemas,
  type RouteDescription,
  type RouteError,
  schemaReference,
} from '@orrery/http'
import * as protocol from '@orrery/protocol'
import { Hono, type MiddlewareHandler } from 'hono'
import type * as v from 'valibot'

/** What a route takes and answers, for the API's document. */
export interface Operation extends RouteDescription {
  readonly tag: OperationTag
  /** the token it needs; documented here, checked by the route */
  readonly access: 'anybody' | 'player' | 'admin'
  /** further bodies of an error status, beside the envelope */
  readonly others?: readonly (readonly [status: number, schema: v.GenericSchema])[]
  /** its own errors; those of tokens, bodies and the server are added */
  readonly errors?: readonly RouteError<protocol.ErrorCode>[]
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

const TOKEN_ERROR: RouteError<protocol.ErrorCode> = [401, 'E005']
const QUERY_ERROR: RouteError<protocol.ErrorCode> = [400, 'E001']
const BODY_ERRORS: readonly RouteError<protocol.ErrorCode>[] = [
  [400, 'E001'],
  [413, 'E001'],
  [415, 'E001'],
]
const SERVER_ERRORS: readonly RouteError<protocol.ErrorCode>[] = [
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
      },
    },
  },
}

const schemas = new NamedSchemas(protocolSchemas())

/** The game's API, in its own errors and tokens. */
const api: ApiDescription<Operation, protocol.ErrorCode> = new ApiDescription({
  schemas,
  errorSchemas: { Error: ERROR_SCHEMA },
  securitySchemes: {
    player: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'type player' },
    admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'type admin' },
  },
  security: ({ access }) => (access === 'anybody' ? undefined : [{ [access]: [] }]),
  queryMode: 'output',
  errors: ({ access, body, query, errors = [] }) => [
    ...errors,
    ...(access === 'anybody' ? [] : [TOKEN_ERROR]),
    ...(body ? BODY_ERRORS : []),
    ...(query ? [QUERY_ERROR] : []),
    ...SERVER_ERRORS,
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

/** Middleware that describes its route, and does nothing at requests. */
export function operation(description: Operation): MiddlewareHandler {
  return api.operation(description)
}

/** Serves the document, which is made at the first request. */
export function openApiRoutes(app: Hono): Hono {
  let document: string | undefined
  return new Hono().get(
    '/api/openapi.json',
    operation({
      summary: 'This document',
      tag: 'public',
      access: 'anybody',
      success: { status: 200 },
    }),
    (context) => {
      document ??= JSON.stringify(api.document(app, { title: 'Orrery', version: '1' }))
      return context.body(document, 200, { 'content-type': 'application/json' })
    },
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
