import {
  ApiDescription,
  type JsonObject,
  NamedSchemas,
  type RouteDescription,
  type RouteError,
  schemaReference,
} from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import type * as v from 'valibot'
import { codePointsMax } from './tables/fields.ts'

/** A route's input and answers in the API document. */
export interface Operation extends RouteDescription {
  readonly tag: OperationTag
  /** health: no token is needed, and the only error is `unavailable` */
  readonly open?: boolean
  /** what is wrong with a body is said in JSON-RPC */
  readonly rpc?: boolean
  /** of this route; 401, 403, 413, 415, 422, 429, 500 and 503 are added */
  readonly errors?: readonly RouteError<string>[]
}

const TAGS = {
  clients: 'Customers.',
  projects: 'Projects of a client, their export and import.',
  versions: 'Versions of a project, and their differences.',
  questions: 'Questions of a session, with answers and suggestions.',
  decisions: 'Architecture decision records.',
  artifacts: 'Diagrams, documents and reports, and their rendering.',
  coverage: 'Items of checklists that a version covers.',
  inventory: 'Tables and lists that a version is based on.',
  uploads: 'Files of a version.',
  templates: 'Templates of documents.',
  knowledge: 'The library, its search and its index.',
  audit: 'Who changed what.',
  workflow: 'What a session needs next.',
  operations: 'Health, documents and the Model Context Protocol.',
} as const

export type OperationTag = keyof typeof TAGS

const ACCESS_ERRORS: readonly RouteError<string>[] = [
  [401, 'Not authenticated'],
  [403, 'Origin is not allowed; Host is not allowed'],
  [429, 'Too many requests: many wrong tokens of this address'],
]
const BODY_ERRORS: readonly RouteError<string>[] = [
  [413, 'Too many bytes'],
  [415, 'Another content type is needed'],
]
const VALIDATION_ERROR: RouteError<string> = [422, 'What is wrong, place by place']
const SERVER_ERRORS: readonly RouteError<string>[] = [
  [500, 'Internal Server Error'],
  [503, 'Not ready'],
]

const ISSUE: JsonObject = {
  type: 'object',
  required: ['type', 'loc', 'msg', 'input'],
  properties: {
    type: { type: 'string' },
    loc: { type: 'array', items: { type: ['string', 'integer'] } },
    msg: { type: 'string' },
    input: {},
  },
}

const definitions: Record<string, v.GenericSchema> = {}

/** The service's API document, with its own errors and tokens. */
export const api: ApiDescription<Operation, string> = new ApiDescription({
  info: {
    title: 'Architecture design sessions',
    version: '1',
    description:
      'Records of architecture design sessions, diagrams and reports, and a library of knowledge. \
Changes are recorded under the name in the header `X-Author`, percent-encoded UTF-8.',
  },
  tags: TAGS,
  schemas: new NamedSchemas(definitions, {
    overrideSchema: ({ valibotSchema: { type } }) => {
      // JSON has no dates: they are strings.
      if (type === 'date') return { type: 'string', format: 'date-time' }
      return type === 'custom' ? { type: 'object' } : undefined
    },
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const maxLength = codePointsMax.get(valibotAction)
      return maxLength === undefined ? undefined : { ...jsonSchema, maxLength }
    },
  }),
  errorSchemas: {
    Error: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
    RpcError: {
      type: 'object',
      required: ['jsonrpc', 'error', 'id'],
      properties: {
        jsonrpc: { const: '2.0' },
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'integer' }, message: { type: 'string' } },
        },
        id: { type: ['string', 'integer', 'null'] },
      },
    },
    ValidationError: {
      type: 'object',
      required: ['detail'],
      properties: { detail: { type: 'array', items: ISSUE } },
    },
  },
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  // The token is optional: a service may run without one.
  security: ({ open = false }) => (open ? [] : [{}, { token: [] }]),
  queryMode: 'input',
  pathSchema: (name) => ({ type: 'string', ...(name.endsWith('_id') && { format: 'uuid' }) }),
  errors: ({ open = false, body, file, bytes, query, errors = [] }, template) => [
    ...errors,
    [400, 'Request could not be read'],
    ...(open ? [] : [...ACCESS_ERRORS, ...SERVER_ERRORS]),
    ...(body || file !== undefined || bytes !== undefined ? BODY_ERRORS : []),
    ...(body || query || file !== undefined || template.includes('_id}') ? [VALIDATION_ERROR] : []),
  ],
  errorAnswer: (details, status, { open = false, rpc = false }) => ({
    description: details.join('; '),
    schema:
      open && status === 503
        ? {
            type: 'object',
            required: ['status', 'reason'],
            properties: { status: { const: 'unavailable' }, reason: { type: 'string' } },
          }
        : schemaReference(errorSchema(status, rpc)),
  }),
})

function errorSchema(status: number, rpc: boolean): string {
  if (rpc && [400, 413, 415].includes(status)) return 'RpcError'
  return status === 422 ? 'ValidationError' : 'Error'
}

type Described = Omit<Operation, 'id' | 'tag'>

/** Describes the route it is added to; it does nothing to requests. */
export function operation(id: string, tag: OperationTag, described: Described): MiddlewareHandler {
  return api.operation({ id, tag, ...described })
}

/** Registers a schema under a name; the document refers to it by `$ref`. */
export function named<const Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  definitions[name] = schema
  return schema
}
