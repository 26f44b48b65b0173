import type { Json, JsonObject } from '@orrery/http'
import { FIELD_WORDS } from '@orrery/protocol'

/**
 * A document in which each property has a sentence: the one for `owner.name`, or for `name`. The
 * owner is the property, schema or message that it is in.
 */
export function describedFields<Document extends { readonly components: object }>(
  document: Document,
): Document {
  const { components, ...rest } = document
  const named = mapped(components as JsonObject, (_, parts) =>
    mapped(parts as JsonObject, (name, part) => described(part, name)),
  )
  return { ...(described(rest as JsonObject, '') as object), components: named } as Document
}

function described(part: Json, owner: string): Json {
  if (Array.isArray(part)) return part.map((item: Json) => described(item, owner))
  if (typeof part !== 'object' || part === null) return part
  return mapped(part as JsonObject, (key, value) =>
    key === 'properties'
      ? mapped(value as JsonObject, (name, schema) => property(name, schema, owner))
      : described(value, owner),
  )
}

function property(name: string, schema: Json, owner: string): Json {
  const description = FIELD_WORDS[`${owner}.${name}`] ?? FIELD_WORDS[name]
  const within = described(schema, name) as JsonObject
  return description === undefined ? within : { description, ...within }
}

function mapped(object: JsonObject, map: (key: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]))
}
