// The sockets' own description, read from a running server: examples of what a client can send, and
// a check of any message.
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { randomUUID } from 'node:crypto'
import type { Schema } from './api-document.ts'

export interface SocketDocument {
  readonly servers: Readonly<Record<string, { readonly security: readonly Ref[] }>>
  readonly operations: Readonly<Record<'send' | 'receive', { readonly messages: readonly Ref[] }>>
  readonly components: {
    readonly messages: Readonly<Record<string, DescribedMessage>>
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

interface DescribedMessage {
  readonly payload: Schema
  readonly examples: readonly [{ readonly payload: Message }]
}

interface Ref {
  readonly $ref: string
}

export interface Message {
  readonly type: string
}

/** Types of the texts that a server sends or receives. */
export function typesOf({ operations }: SocketDocument, action: 'send' | 'receive'): string[] {
  const names = operations[action].messages.map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1))
  // The one binary message.
  return names.filter((name) => name !== 'frame')
}

/** Finds what the document does not describe in a message; undefined when it describes all. */
export function messageFaults(
  document: SocketDocument,
): (action: 'send' | 'receive', message: Message) => string | undefined {
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'sockets')
  return (action, message) => {
    if (!typesOf(document, action).includes(message.type)) return `${message.type} is unknown`
    const $ref = `sockets#/components/messages/${message.type}/payload`
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref })
    if (validate(message)) return undefined
    return `${ajv.errorsText(validate.errors)}: ${JSON.stringify(message)}`.slice(0, 400)
  }
}

/** Values that hardly any field takes. */
const JUNK: readonly unknown[] = [null, true, -1, 1e300, 0.5, '', 'x'.repeat(100), [], {}, '\0']

/** Parts that need more than their schemas require, by their names. */
const CHOSEN: Readonly<Record<string, unknown>> = {
  condition: { type: 'apsis', apsis: 'periapsis' },
  action: { type: 'event' },
}

/** Messages with every choice of a field, and with each field as it must not be. */
export function* examplesOf(document: SocketDocument, type: string): Generator<Message, void> {
  const { payload } = document.components.messages[type]
  const { properties = {}, required = [] } = payload
  const values = (name: string): readonly unknown[] =>
    properties[name].enum ?? [CHOSEN[name] ?? example(properties[name], document)]
  let whole: Message[] = [{ type }]
  for (const name of required) {
    if (name === 'type') continue
    whole = whole.flatMap((message) => values(name).map((value) => ({ ...message, [name]: value })))
  }
  yield* whole
  for (const name of Object.keys(properties)) {
    if (name === 'type') continue
    for (const value of [...values(name), ...JUNK]) yield { ...whole[0], [name]: value }
  }
}

/** A good message with one field missing, of a wrong type or out of its range, and the field. */
export function* spoiltMessages(
  document: SocketDocument,
  whole: Message,
): Generator<readonly [Message, field: string], void> {
  const { properties = {}, required = [] } = document.components.messages[whole.type].payload
  for (const [name, { minimum = 0, maximum = 0 }] of Object.entries(properties)) {
    if (name === 'type') continue
    if (required.includes(name)) yield [{ ...whole, [name]: undefined }, name]
    for (const value of [
      ...JUNK,
      minimum - 1,
      maximum + 1,
      [null],
      { x: null },
      { type: 'fuel' },
    ]) {
      yield [{ ...whole, [name]: value }, name]
    }
  }
}

function example(schema: Schema, document: SocketDocument): unknown {
  const { $ref, type, anyOf, properties = {}, required = [], format, minimum = 0.5 } = schema
  const target = $ref?.slice($ref.lastIndexOf('/') + 1)
  if (target !== undefined) return example(document.components.schemas[target], document)
  if (anyOf) return example(anyOf[0], document)
  if (type === 'object') {
    return Object.fromEntries(required.map((name) => [name, example(properties[name], document)]))
  }
  if (type === 'array') return []
  if (type === 'boolean') return true
  if (type === 'string') return format === 'uuid' ? randomUUID() : 'Earth'
  return minimum
}
