import type { Hono, MiddlewareHandler } from 'hono'
import type * as v from 'valibot'
import type { JsonObject, NamedSchemas } from './named-schemas.ts'

/** What a route takes and answers, for people and programs that read the API's document. */
export interface RouteDescription {
  /** of the operation, for generated clients: a verb and what it acts on, such as `listClients` */
  readonly id: string
  /** a title of a few words */
  readonly summary: string
  /** sentences on what the summary leaves open */
  readonly description: string
  readonly tag: string
  readonly body?: v.GenericSchema
  /** the body may be left out */
  readonly bodyOptional?: boolean
  /** a multipart field that holds a file, instead of a body */
  readonly file?: string
  /** the media type of a body that is no JSON; with `body`, the caller chooses */
  readonly bytes?: string
  /** an object */
  readonly query?: v.GenericSchema
  /** an object of headers that the route reads itself */
  readonly headers?: v.GenericSchema
  readonly success: {
    readonly status: 200 | 201 | 202 | 204
    readonly schema?: v.GenericSchema
    /** media types of answers that no schema describes; with `schema`, the caller chooses */
    readonly type?: string | readonly string[]
  }
}

/** What is specific to a service's document; a `Reason` distinguishes errors of one status. */
export interface ApiDialect<Description extends RouteDescription, Reason> {
  readonly info: ApiInfo
  /** what the operations of each tag are about */
  readonly tags: Readonly<Record<Description['tag'], string>>
  readonly schemas: NamedSchemas
  readonly errorSchemas: JsonObject
  readonly securitySchemes: JsonObject
  /** empty where no token is needed */
  readonly security: (description: Description) => readonly JsonObject[]
  /** whether a query's values are described as they come or as they are after parsing */
  readonly queryMode: 'input' | 'output'
  /** of a path's parameter; any text when left out */
  readonly pathSchema?: (name: string) => JsonObject
  /** all errors of a route, those that every route has included */
  readonly errors: (description: Description, template: string) => readonly RouteError<Reason>[]
  /** what a status of an error answers, for each of its reasons once */
  readonly errorAnswer: (
    reasons: readonly Reason[],
    status: number,
    description: Description,
  ) => { readonly description: string; readonly schema: JsonObject }
}

/** What a document is about. */
export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
}

/** Contact and licence of all documents. */
export const RIGHTS: Readonly<Record<'contact' | 'license', { readonly name: string }>> = {
  contact: { name: 'The operators of this server' },
  license: { name: 'All rights reserved' },
}

const LICENSE = { ...RIGHTS.license, identifier: 'LicenseRef-All-rights-reserved' }

/** What a document has of one operation. */
export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly JsonObject[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: ApiContent }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: ApiContent }>
  >
}

/** A parameter of a path, a query or the headers. */
export interface ApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
}

/** Schemas by media types. */
export type ApiContent = Readonly<Record<string, { readonly schema?: JsonObject }>>

/** A document, with operations by path and method. */
export interface ApiDocument {
  readonly openapi: string
  readonly info: ApiInfo & typeof RIGHTS
  readonly servers: readonly JsonObject[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: Readonly<Record<'schemas' | 'securitySchemes', JsonObject>>
}

/** A status that a route may refuse with, and why. */
export type RouteError<Reason> = readonly [status: number, reason: Reason]

/**
 * The OpenAPI 3.1 document of an app, from descriptions that stand in its routes.
 *
 * @source https://spec.openapis.org/oas/v3.1.0.html
 */
export class ApiDescription<Description extends RouteDescription, Reason> {
  readonly #dialect: ApiDialect<Description, Reason>
  readonly #descriptions = new WeakMap<object, Description>()

  constructor(dialect: ApiDialect<Description, Reason>) {
    this.#dialect = dialect
  }

  /** Describes the route it is put into; at requests it only steps aside. */
  operation(description: Description): MiddlewareHandler {
    const middleware: MiddlewareHandler = (_, next) => next()
    this.#descriptions.set(middleware, description)
    return middleware
  }

  /**
   * The document of all routes an app has by now.
   *
   * @throws {Error} naming the first route that is not described
   */
  document(app: Hono): ApiDocument {
    const { info, tags, schemas, errorSchemas, securitySchemes } = this.#dialect
    const paths: Record<string, Record<string, ApiOperation>> = {}
    for (const [route, description] of this.#routes(app)) {
      if (!description) throw new Error(`${route} is not described.`)
      const [method, path] = route.split(' ')
      const template = path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
      paths[template] ??= {}
      paths[template][method.toLowerCase()] = this.#operationObject(template, description)
    }
    return {
      openapi: '3.1.0',
      info: { ...info, ...RIGHTS, license: LICENSE },
      servers: [{ url: '/', description: 'This server' }],
      tags: Object.entries<string>(tags).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        schemas: { ...schemas.used([paths, errorSchemas]), ...errorSchemas },
        securitySchemes,
      },
    }
  }

  /** Each route, such as `GET /clients/:id`, with its description. */
  #routes(app: Hono): Map<string, Description | undefined> {
    const found = new Map<string, Description | undefined>()
    for (const { method, path, handler } of app.routes) {
      // ALL is middleware.
      if (method === 'ALL') continue
      const route = `${method} ${path}`
      found.set(route, this.#descriptions.get(handler) ?? found.get(route))
    }
    return found
  }

  #operationObject(template: string, description: Description): ApiOperation {
    const { id, summary, tag } = description
    const parameters = this.#parameters(template, description)
    const requestBody = this.#requestBody(description)
    return {
      operationId: id,
      summary,
      description: description.description,
      tags: [tag],
      security: this.#dialect.security(description),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: this.#responses(template, description),
    }
  }

  #parameters(template: string, { query, headers }: Description): ApiParameter[] {
    const { schemas, queryMode, pathSchema = () => ({ type: 'string' }) } = this.#dialect
    const parametersIn = (place: 'query' | 'header', schema?: v.GenericSchema): ApiParameter[] =>
      (schema ? schemas.properties(schema, queryMode) : []).map(([name, part, required]) => ({
        name,
        in: place,
        required,
        schema: part,
      }))
    return [
      ...[...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name,
        in: 'path' as const,
        required: true,
        schema: pathSchema(name),
      })),
      ...parametersIn('query', query),
      ...parametersIn('header', headers),
    ]
  }

  #requestBody({ body, bodyOptional, file, bytes }: Description): ApiOperation['requestBody'] {
    if (file !== undefined) return { required: true, content: multipart(file) }
    if (!body && bytes === undefined) return undefined
    const content = {
      ...(body && json(this.#dialect.schemas.inline(body, 'input'))),
      ...(bytes !== undefined && { [bytes]: {} }),
    }
    return { required: !bodyOptional, content }
  }

  #responses(template: string, description: Description): ApiOperation['responses'] {
    const { schemas, errors, errorAnswer } = this.#dialect
    const { status, schema, type } = description.success
    const content = {
      ...(schema && json(schemas.inline(schema, 'output'))),
      ...Object.fromEntries([type ?? []].flat().map((it) => [it, {}])),
    }
    const responses: Record<string, ApiOperation['responses'][string]> = {
      [status]: {
        description: 'Success',
        ...(Object.keys(content).length > 0 && { content }),
      },
    }
    for (const [code, entries] of Map.groupBy(errors(description, template), ([it]) => it)) {
      const reasons = [...new Set(entries.map(([, reason]) => reason))]
      const answer = errorAnswer(reasons, code, description)
      responses[code] = { description: answer.description, content: json(answer.schema) }
    }
    return responses
  }
}

function json(schema: JsonObject): ApiContent {
  return { 'application/json': { schema } }
}

function multipart(field: string): ApiContent {
  const properties = { [field]: { type: 'string', contentMediaType: 'application/octet-stream' } }
  return { 'multipart/form-data': { schema: { type: 'object', required: [field], properties } } }
}
