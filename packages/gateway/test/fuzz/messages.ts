// Random socket messages, from the examples in the protocol's SOCKET.md.
import { readFileSync } from 'node:fs'
import type { Schema } from '../api/api-document.ts'
import type { Chance } from '@orrery/testkit'
import { hostileText, mutated, schemaText } from './values.ts'

const EXAMPLES = new URL('../../../protocol/SOCKET.md', import.meta.url)

/** Fields that no example of SOCKET.md has. */
const OTHERS: readonly object[] = [
  { type: 'subscribe', budget: 2048 },
  { type: 'subscribe', radius: 1e7, budget: 1_048_576, rate: 40 },
  { type: 'resume', era: 1, tick: 40, publication: 40 },
]

/** Each message of a client in SOCKET.md, and some more. */
export function messageExamples(): readonly object[] {
  const text = readFileSync(EXAMPLES, 'utf8')
  const start = text.indexOf('\n## Client to server')
  if (start < 0) throw new Error('SOCKET.md has no messages of clients.')
  const section = text.slice(start, text.indexOf('\n## ', start + 1))
  const examples = Array.from(
    section.matchAll(/`(\{"type":.*\})`/g),
    ([, json]) => JSON.parse(json) as object,
  )
  return [...examples, ...OTHERS]
}

export function fuzzMessage(examples: readonly object[], chance: Chance): string | Buffer {
  if (chance.oneIn(25)) return chance.bytes(300)
  if (chance.oneIn(15)) return hostileText(chance)
  const example = chance.pick(examples)
  if (chance.oneIn(12)) return `${JSON.stringify(example).slice(0, -1)},"at":${badIndex(chance)}}`
  if (chance.oneIn(3)) return JSON.stringify(example)
  const text = schemaText(schemaOf(example), chance, true)
  return chance.oneIn(6) ? mutated(text, chance) : text
}

/** A lattice index that is none, or that no order can act at, as JSON text. */
function badIndex(chance: Chance): string {
  if (chance.oneIn(3)) return hostileText(chance)
  return chance.pick(['-4', '3', '4.5', '4', '1e300', '9007199254740992', '9007199254740988'])
}

/** The schema that an example suggests: its fields, each of its type. */
function schemaOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? '') }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        name === 'type' ? { const: item } : schemaOf(item),
      ]),
    )
    return { properties, required: ['type'] }
  }
  if (typeof value === 'number') return { type: 'number', minimum: 0, maximum: 1 }
  if (typeof value === 'boolean') return { type: 'boolean' }
  const isId = /^[0-9a-f-]{36}$/.test(String(value))
  return isId
    ? { type: 'string', format: 'uuid' }
    : { anyOf: [{ const: value }, { type: 'string' }] }
}
