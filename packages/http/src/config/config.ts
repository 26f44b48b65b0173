import * as v from 'valibot'
import { issueReason } from '../errors/issue-text.ts'

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
 * text; an empty secret counts as set, to be refused: without it, access might be open.
 */
export function isUnset(name: string, value: string | undefined): boolean {
  return value === undefined || (value === '' && !SECRET_NAME.test(name))
}

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
  const parsed = v.safeParse(schema, set, { message: issueReason })
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

/** A variable with the meaning that {@link helpText} prints. */
export function described<const Schema extends v.GenericSchema>(
  meaning: string,
  schema: Schema,
): v.SchemaWithPipe<readonly [Schema, v.DescriptionAction<v.InferOutput<Schema>, string>]> {
  return v.pipe(schema, v.description(meaning))
}

/**
 * The text of `--help`: a table of each variable, its default and its meaning.
 *
 * @param purpose  what the service does, such as `Serves the game`
 * @param defaults  words for defaults that differ between machines, by variable
 */
export function helpText(
  purpose: string,
  { entries }: { readonly entries: Readonly<Record<string, v.GenericSchema>> },
  defaults: Readonly<Record<string, string>> = {},
): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length)) + 1
  const rows = Object.entries(entries).map(([name, entry]) => {
    const fallback = defaults[name] ?? v.getDefault(entry)
    const absent = entry.type === 'optional' ? '-' : 'required'
    const standsIn = typeof fallback === 'string' && fallback !== '' ? fallback : absent
    return `  ${name.padEnd(width)} ${standsIn.padEnd(10)} ${v.getDescription(entry) ?? ''}`
  })
  const empty = 'An empty one counts as not set; an empty secret is refused.'
  return [`${purpose}; environment variables say how. ${empty}`, '', ...rows, ''].join('\n')
}
