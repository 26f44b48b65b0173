import type { Json, JsonObject } from '@orrery/http'
import { EXAMPLE_VALUES } from '@orrery/protocol'

/** The schemas of a document by name. */
export type Schemas = Readonly<Record<string, Json>>

const OF_FORMATS: Readonly<Record<string, Json>> = {
  date: '2026-03-01',
  'date-time': '2026-03-01T12:00:00.000Z',
  uuid: '5f0c1a52-6b1e-4c7a-9d35-0f4f0a6f2d11',
}

/** A document in which each JSON body of a request or a success has an example. */
export function withExamples<Document extends ApiParts>(document: Document): Document {
  const { schemas } = document.components
  const shown = (content: JsonObject): JsonObject => {
    const json = content['application/json'] as JsonObject | undefined
    const schema = json?.['schema'] as JsonObject | undefined
    if (!schema) return content
    return { ...content, 'application/json': { ...json, example: exampleOf(schema, schemas) } }
  }
  const within = (part: Json): Json => {
    if (Array.isArray(part) || typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part as JsonObject).map(([key, value]) => {
      if (key === 'content') return [key, shown(value as JsonObject)]
      // A refusal has its code and sentence in its description.
      return [key, /^[45]\d\d$/.test(key) ? value : within(value)]
    })
    return Object.fromEntries(entries) as JsonObject
  }
  return { ...document, paths: within(document.paths as JsonObject) }
}

interface ApiParts {
  readonly paths: object
  readonly components: { readonly schemas: Schemas }
}

/** A value that a schema accepts, always the same one; `place` is the name of its field. */
export function exampleOf(schema: JsonObject, schemas: Schemas, place = '', owner = ''): Json {
  const { $ref, const: only, enum: choices, anyOf, oneOf, items, properties } = schema
  const { prefixItems } = schema
  if (typeof $ref === 'string') {
    const target = $ref.slice($ref.lastIndexOf('/') + 1)
    return exampleOf(schemas[target] as JsonObject, schemas, place || target, owner)
  }
  if (only !== undefined) return only
  const chosen = (EXAMPLE_VALUES[`${owner}.${place}`] ?? EXAMPLE_VALUES[place]) as Json | undefined
  if (chosen !== undefined && fits(chosen, schema)) return chosen
  if (choices) return (choices as readonly Json[])[0]
  const [first] = (anyOf ?? oneOf ?? []) as readonly JsonObject[]
  if (first) return exampleOf(first, schemas, place, owner)
  const tuple = (prefixItems ?? (Array.isArray(items) && items)) as readonly JsonObject[] | false
  if (tuple) return tuple.map((item) => exampleOf(item, schemas, place, owner))
  if (items) return [exampleOf(items as JsonObject, schemas, place, owner)]
  if (properties) return objectExample(schema, schemas, place)
  return plainExample(schema)
}

/** With the fields that must be there. */
function objectExample(schema: JsonObject, schemas: Schemas, place: string): Json {
  const properties = schema['properties'] as Readonly<Record<string, JsonObject>>
  const required = (schema['required'] ?? []) as readonly string[]
  const fields = required.map((name) => [name, exampleOf(properties[name], schemas, name, place)])
  return Object.fromEntries(fields) as JsonObject
}

function plainExample({ type, format, minimum, exclusiveMinimum }: JsonObject): Json {
  if (type === 'string') return OF_FORMATS[format as string] ?? 'Earth'
  if (type === 'integer' || type === 'number') {
    return Math.max(Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1)
  }
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : null
}

/** Whether a value is of the kind that a schema is about. */
function fits(value: Json, { type, enum: choices, anyOf, oneOf, format }: JsonObject): boolean {
  const others = (anyOf ?? oneOf) as readonly JsonObject[] | undefined
  if (others) return others.some((other) => fits(value, other))
  if (choices) return (choices as readonly Json[]).includes(value)
  if (format !== undefined) return false
  if (Array.isArray(value)) return type === 'array'
  return type === undefined
    ? false
    : type === typeof value || (type === 'integer' && typeof value === 'number')
}
