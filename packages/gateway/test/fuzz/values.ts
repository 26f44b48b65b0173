// Values for a schema: valid, nearly valid, and hostile.
import type { Schema } from '../api/api-document.ts'
import type { Chance } from '@orrery/testkit'

/** Values that often break programs, as JSON texts. */
const HOSTILE: readonly string[] = [
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e400',
  '-1e400',
  '5e-324',
  '1e308',
  '9007199254740993',
  '"NaN"',
  '"Infinity"',
  '"0"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"<script>alert(1)</script>"',
  '"\'; drop table account; --"',
  '"../../etc/passwd"',
  '"%00"',
  '"${7*7}{{7*7}}"',
  '{"__proto__":{"is_admin":true}}',
  '{"toString":null,"valueOf":null,"length":-1}',
  '{"then":true}',
  '[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]',
]

/** A hostile value, as JSON text. */
export function hostileText(chance: Chance): string {
  if (chance.oneIn(6)) return JSON.stringify(chance.text(80))
  if (chance.oneIn(30)) return JSON.stringify('x'.repeat(chance.below(5000)))
  return chance.pick(HOSTILE)
}

/** A value of a schema, or with `wrong` one that may differ anywhere, as JSON text. */
export function schemaText(schema: Schema, chance: Chance, wrong: boolean): string {
  if (wrong && chance.oneIn(4)) return hostileText(chance)
  const { anyOf, oneOf, allOf, enum: choices, properties, items } = schema
  const variants = anyOf ?? oneOf ?? allOf
  if (variants !== undefined) return schemaText(chance.pick(variants), chance, wrong)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (choices !== undefined) return JSON.stringify(chance.pick(choices))
  if (properties !== undefined) return objectText(schema, properties, chance, wrong)
  switch (schema.type ?? 'string') {
    case 'number':
    case 'integer':
      return numberText(schema, chance)
    case 'boolean':
      return String(chance.oneIn(2))
    case 'array': {
      const length = chance.below(4)
      return `[${Array.from({ length }, () => schemaText(items ?? {}, chance, wrong)).join(',')}]`
    }
    default:
      return JSON.stringify(stringOf(schema, chance))
  }
}

function objectText(
  { required = [] }: Schema,
  properties: Readonly<Record<string, Schema>>,
  chance: Chance,
  wrong: boolean,
): string {
  const fields: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (wrong && chance.oneIn(6)) continue
    if (!required.includes(name) && chance.oneIn(2)) continue
    const key = wrong && chance.oneIn(15) ? hostileKey(chance) : name
    fields.push(`${JSON.stringify(key)}:${schemaText(schema, chance, wrong)}`)
    // The same key again: the last one counts.
    if (wrong && chance.oneIn(15)) fields.push(`${JSON.stringify(name)}:${hostileText(chance)}`)
  }
  if (chance.oneIn(5)) fields.push(`${JSON.stringify(hostileKey(chance))}:${hostileText(chance)}`)
  return `{${fields.join(',')}}`
}

function hostileKey(chance: Chance): string {
  return chance.pick(['__proto__', 'constructor', 'toJSON', 'id', 'is_admin', '', chance.text(9)])
}

function numberText({ minimum = -10, maximum = 1000, type }: Schema, chance: Chance): string {
  if (chance.oneIn(8)) return String(chance.pick([minimum, maximum]))
  const value = minimum + chance.share() * (Math.min(maximum, minimum + 1e6) - minimum)
  return String(type === 'integer' ? Math.round(value) : value)
}

const NAMES = ['Earth', 'Sun', 'Moon', 'sol', 'Jupiter', 'Io', 'normal', 'off', 'verbose']

function stringOf({ format, pattern }: Schema, chance: Chance): string {
  if (format === 'uuid' || pattern?.includes('[\\da-f]')) return chance.uuid()
  if (chance.oneIn(3)) return chance.pick(NAMES)
  return `f_${chance.below(1e9).toString(36)}_${chance.below(1e6)}`
}

/** A text with an error: cut, doubled, a character changed or added. */
export function mutated(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1)
  const rest = text.slice(at)
  return chance.pick([
    text.slice(0, at),
    text.slice(0, at) + chance.text(3) + rest,
    text.slice(0, at) + chance.text(1) + rest.slice(1),
    text + rest,
    `\ufeff${text}`,
    '['.repeat(chance.below(300)) + text,
  ])
}
