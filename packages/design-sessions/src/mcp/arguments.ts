type Arguments = Readonly<Record<string, unknown>>

/**
 * Arguments of the types that a tool names: assistants send numbers, truth values and lists as
 * texts, too. What is of another type stays, for the API to refuse.
 *
 * @param properties  JSON schemas by name
 */
export function givenArguments(properties: object | undefined, given: Arguments): Arguments {
  const schemas = new Map(Object.entries(properties ?? {}))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typed(schemas.get(name), value)]),
  )
}

function typed(schema: unknown, value: unknown): unknown {
  const types = typesOf(schema)
  if (typeof value !== 'string' || types.has('string')) return value
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return value
  }
  return types.has(typeOf(parsed)) ? parsed : value
}

/** The types a schema takes, those of its variants included. */
function typesOf(schema: unknown): ReadonlySet<unknown> {
  const { type, anyOf = [] } = (schema ?? {}) as {
    readonly type?: unknown
    readonly anyOf?: readonly unknown[]
  }
  const own = [type].flat().map((one) => (one === 'integer' ? 'number' : one))
  return new Set([...own, ...anyOf.flatMap((one) => [...typesOf(one)])])
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
