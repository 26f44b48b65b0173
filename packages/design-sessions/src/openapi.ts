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

/** What a route takes and answers, for people and programs that read the API's document. */
export interface Operation extends RouteDescription {
  readonly tag: OperationTag
  /** of health: asked without a token even where one is set, and never more than `unavailable` */
  readonly open?: boolean
  /** its own errors, each with its detail; 401, 403, 413, 415, 422, 500 and 503 are added */
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

/** The service's API, in its own errors and tokens. */
export const api: ApiDescription<Operation, string> = new ApiDescription({
  schemas: new NamedSchemas(definitions, {
    overrideSchema: ({ valibotSchema: { type } }) => {
      // JSON has no dates: they are written as texts.
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
  // No token may be set, so none may be needed.
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

/** Describes the route it is put into; at requests it only steps aside. */
export function operation(description: Operation): MiddlewareHandler {
  return api.operation(description)
}

/** Gives a schema its name in the document: wherever it is used, it is referred to. */
export function named<const Schema extends v.GenericSchema>(name: string, schema: Schema): Schema {
  definitions[name] = schema
  return schema
}
