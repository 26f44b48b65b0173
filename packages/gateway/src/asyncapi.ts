import { type JsonObject, NamedSchemas, schemaReference } from '@orrery/http'
import { SUBPROTOCOL } from '@orrery/protocol'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { operation, protocolSchemas } from './openapi.ts'

/** Serves the document of the sockets' messages, which is made at the first request. */
export function asyncApiRoutes(): Hono {
  let document: string | undefined
  return new Hono().get(
    '/api/asyncapi.json',
    operation({
      summary: 'The messages of sockets, as an AsyncAPI document',
      tag: 'public',
      access: 'anybody',
      success: { status: 200 },
    }),
    etag(),
    (context) => {
      document ??= JSON.stringify(asyncApiDocument())
      const headers = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' }
      return context.body(document, 200, headers)
    },
  )
}

/**
 * The AsyncAPI 3.0 document of the sockets, from the schemas that check their messages.
 *
 * @source https://www.asyncapi.com/docs/reference/specification/v3.0.0
 */
function asyncApiDocument(): JsonObject {
  // AsyncAPI's own schemas are those of draft 7.
  const named = new NamedSchemas(protocolSchemas(), { target: 'draft-07' })
  const roots = ['ClientMessage', 'ServerMessage']
  const { ClientMessage, ServerMessage, ...schemas } = named.used(roots.map(schemaReference))
  const [received, sent] = [messagesOf(ClientMessage), messagesOf(ServerMessage)]
  const messages = { ...received, ...sent }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Orrery', version: '1' },
    defaultContentType: 'application/json',
    channels: {
      socket: {
        address: '/ws',
        description:
          `A token comes as a header, or after the sub-protocol ${SUBPROTOCOL} as a second one, ` +
          'bearer.<token>. One JSON object per text message.',
        messages: references(messages, '#/components/messages'),
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: {
      receive: socketOperation('receive', received),
      send: socketOperation('send', sent),
    },
    components: { messages, schemas },
  }
}

type Messages = Readonly<Record<string, JsonObject>>

/** The messages of a union, by their type. */
function messagesOf(union: unknown): Messages {
  const { oneOf, anyOf = oneOf } = union as Record<string, readonly Payload[]>
  return Object.fromEntries(
    anyOf.map((payload) => [payload.properties.type.const, { payload }] as const),
  )
}

type Payload = JsonObject & { readonly properties: { readonly type: { readonly const: string } } }

function references(messages: Messages, place: string): Record<string, JsonObject> {
  const names = Object.keys(messages)
  return Object.fromEntries(names.map((name) => [name, { $ref: `${place}/${name}` }]))
}

function socketOperation(action: 'send' | 'receive', messages: Messages): JsonObject {
  return {
    action,
    channel: { $ref: '#/channels/socket' },
    messages: Object.values(references(messages, '#/channels/socket/messages')),
  }
}
