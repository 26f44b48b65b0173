import * as v from 'valibot'

/** The environment does not make a configuration; the message is one line with every reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'bad_config'
}

/** Names and texts, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How the names of secrets end. */
const SECRET_NAME = /_(?:KEY|PASSWORD|TOKEN)$/

/**
 * Whether a variable counts as not set. Compose files set variables without a value to empty
 * text; an empty secret counts as set, to be refused: without it, anybody might be let in.
 */
export function isUnset(name: string, value: string | undefined): boolean {
  return value === undefined || (value === '' && !SECRET_NAME.test(name))
}

/** What {@link isUnset} means, for a service's help. */
export const EMPTY_VARIABLES = 'An empty one counts as not set; an empty secret is refused.'

/**
 * The frozen configuration an environment makes; see {@link isUnset} for empty variables.
 *
 * @param schema  an object schema whose keys are the names of the variables
 * @throws {ConfigError} with one line that names each bad or missing variable, without its secrets
 *
 * @example
 * ```ts
 * const schema = v.object({ PORT: port(3000), JWT_SECRET_KEY: secret({ bytesMin: 32 }) })
 * const config = parseConfig(schema, process.env)
 * ```
 */
export function parseConfig<const Schema extends v.GenericSchema<unknown, object>>(
  schema: Schema,
  environment: Environment,
): Readonly<v.InferOutput<Schema>> {
  const variables = Object.entries(environment).filter(([name, value]) => !isUnset(name, value))
  const set = Object.fromEntries(variables)
  const parsed = v.safeParse(schema, set)
  if (parsed.success) return Object.freeze(parsed.output)
  const reasons = new Map<string, string>()
  for (const issue of parsed.issues) {
    const key = issue.path?.[0]?.key
    const name = typeof key === 'string' ? key : ''
    const missing = issue.kind === 'schema' && set[name] === undefined
    const reason = `${name} ${missing ? 'is missing' : issue.message}`.trim()
    if (!reasons.has(name)) reasons.set(name, reason)
  }
  throw new ConfigError(`Bad configuration: ${[...reasons.values()].join('; ')}`)
}

/** A variable as an operator is told of it. */
export interface Variable {
  readonly name: string
  /** what the schema's `v.description` says; empty without one */
  readonly meaning: string
  /** what stands in when it is unset; undefined for nothing */
  readonly fallback: string | undefined
  readonly required: boolean
}

/** The variables of a configuration, in the order of its schema. */
export function variablesOf({
  entries,
}: {
  readonly entries: Readonly<Record<string, v.GenericSchema>>
}): readonly Variable[] {
  return Object.entries(entries).map(([name, entry]) => {
    const fallback: unknown = v.getDefault(entry)
    return {
      name,
      meaning: v.getDescription(entry) ?? '',
      fallback: typeof fallback === 'string' && fallback !== '' ? fallback : undefined,
      required: entry.type !== 'optional',
    }
  })
}
