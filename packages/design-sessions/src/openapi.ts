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
import { codePointsMax } from './records/fields.ts'

/** A route's input and answers in the API document. */
export interface Operation extends RouteDescription {
  readonly tag: OperationTag
  /** health: no token is needed, and the only error is `unavailable` */
  readonly open?: boolean
  /** of this route; 401, 403, 413, 415, 422, 500 and 503 are added */
  readonly errors?: readonly RouteError<string>[]
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

const ACCESS_ERRORS: readonly RouteError<string>[] = [
  [401, 'Not authenticated'],
  [403, 'Origin is not allowed; Host is not allowed'],
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
    ...(open ? [] : [...ACCESS_ERRORS, ...SERVER_ERRORS]),
    ...(body || file !== undefined || bytes !== undefined ? BODY_ERRORS : []),
    ...(body || query || file !== undefined || template.includes('_id}') ? [VALIDATION_ERROR] : []),
  ],
  errorAnswer: (details, status, { open = false }) => ({
    description: details.join('; '),
    schema: open
      ? { type: 'object', required: ['status'], properties: { status: { const: 'unavailable' } } }
      : schemaReference(status === 422 ? 'ValidationError' : 'Error'),
  }),
})

/** Describes the route it is added to; it does nothing to requests. */
export function operation(description: Operation): MiddlewareHandler {
  return api.operation(description)
}

/** Registers a schema under a name; the document refers to it by `$ref`. */
export function named<const Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  definitions[name] = schema
  return schema
}
