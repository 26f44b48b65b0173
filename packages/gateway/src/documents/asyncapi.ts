import type { Engine } from '@orrery/engine'
import { refusal } from '@orrery/game'
import { type JsonObject, NamedSchemas, RIGHTS, schemaReference } from '@orrery/http'
import { BEARER_PREFIX, BINARY_SUBPROTOCOL, FRAME_BLOCKS, SUBPROTOCOL } from '@orrery/protocol'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { describedFields } from './described-fields.ts'
import { type Schemas, exampleOf } from './example-bodies.ts'
import { MESSAGE_SUMMARIES } from './message-summaries.ts'
import { type LoadedModules, documentOf, withCommandMessages } from './module-commands.ts'
import { operation, protocolSchemas } from './openapi.ts'

/**
 * Serves the document of the sockets' messages, with commands of the world's modules, which the
 * mirror of a gateway has, too, and refuses requests to the sockets' path that are no handshakes.
 */
export function asyncApiRoutes(engine: Pick<Engine, 'universe'>): Hono {
  const document = documentOf(engine, asyncApiDocument)
  const routes = new Hono()
  // No route of the API, so that its document has none of it.
  routes.use('/ws', (context, next) => {
    if (context.req.method === 'GET') throw refusal('E001', 'This is no WebSocket handshake', 400)
    return next()
  })
  return routes.get(
    '/api/asyncapi.json',
    operation('readAsyncApi', {
      summary: 'The document of the sockets',
      description:
        'Describes the messages of `GET /ws` in AsyncAPI 3, from the schemas that check them.',
      tag: 'public',
      access: 'anybody',
      success: { status: 200 },
    }),
    etag(),
    (context) => {
      const headers = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' }
      return context.body(document(), 200, headers)
    },
  )
}

/**
 * The AsyncAPI 3.0 document of the sockets, from the schemas that check their messages.
 *
 * @source https://www.asyncapi.com/docs/reference/specification/v3.1.0
 */
function asyncApiDocument(modules: LoadedModules): JsonObject {
  // AsyncAPI's own schemas are those of draft 7.
  const named = new NamedSchemas(protocolSchemas(), { target: 'draft-07' })
  const roots = ['ClientMessage', 'ServerMessage']
  const { ClientMessage, ServerMessage, ...schemas } = named.used(roots.map(schemaReference))
  const { general, sent, ...described } = describedFields({
    components: {
      general: messagesOf(ClientMessage, schemas),
      sent: { ...messagesOf(ServerMessage, schemas), frame: FRAME },
      schemas,
    },
  }).components
  const received = withCommandMessages(general, modules)
  const messages = { ...received, ...sent }
  const description =
    'The WebSocket of a multiplayer space simulation: commands of a player, and what happens in ' +
    'the world. Values are in SI units, vectors on ICRF axes.'
  return {
    asyncapi: '3.1.0',
    info: { title: 'Orrery', version: '1', description, ...RIGHTS },
    defaultContentType: 'application/json',
    servers: { tls: serverOf('wss'), plain: serverOf('ws') },
    channels: {
      socket: {
        address: '/ws',
        title: 'The socket',
        description:
          `Each text message is one JSON object. With the sub-protocol \`${BINARY_SUBPROTOCOL}\` ` +
          'a `frame` is sent in place of each `tick`, in a binary message.',
        messages: references(messages, '#/components/messages'),
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: {
      receive: socketOperation('receive', received, 'What a client can send.'),
      send: socketOperation('send', sent, 'What the server sends.'),
    },
    components: { messages, ...described, securitySchemes: SECURITY_SCHEMES },
  }
}

/** How a handshake can carry the token: browsers can set no header. */
const SECURITY_SCHEMES = {
  header: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a login or registration; of an admin, for observers.',
  },
  subprotocol: {
    type: 'httpApiKey',
    name: 'Sec-WebSocket-Protocol',
    in: 'header',
    description:
      `\`${SUBPROTOCOL}\` or \`${BINARY_SUBPROTOCOL}\`, then \`${BEARER_PREFIX}<token>\`: ` +
      'two sub-protocols.',
  },
}

function serverOf(protocol: 'ws' | 'wss'): JsonObject {
  return {
    host: '{host}',
    protocol,
    description: `This server, ${protocol === 'wss' ? 'behind TLS' : 'as it listens'}.`,
    variables: {
      host: { default: 'localhost:3000', description: 'Name and port, those of this document.' },
    },
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({
      $ref: `#/components/securitySchemes/${name}`,
    })),
  }
}

/** A binary message; its tables of blocks are the `frames` of `welcome`. */
const FRAME: JsonObject = {
  name: 'frame',
  title: 'frame',
  summary: 'What has changed in the star system: trajectories of ships, and the clock.',
  description:
    'Little-endian: version 1 and the number of blocks (2 bytes each), publication (4), lattice ' +
    'index (8, a double); then of each block `rows * 256 + kind` and the bytes that follow (4 ' +
    'each), and its columns in order, with `components` values for each of the rows, padded to 8 ' +
    'bytes. WIRE.md of the package `protocol` has formulas, and vectors beside it test them.',
  contentType: 'application/octet-stream',
  payload: { type: 'string', format: 'binary' },
  'x-blocks': FRAME_BLOCKS.map(({ columns, ...block }) => ({
    ...block,
    columns: columns.map((column) => ({ ...column })),
  })),
}

type Messages = Readonly<Record<string, JsonObject>>

/** The messages of a union, by their type. */
function messagesOf(union: unknown, schemas: Schemas): Messages {
  const { oneOf, anyOf = oneOf } = union as Record<string, readonly Payload[]>
  return Object.fromEntries(
    anyOf.map((payload) => {
      const name = payload.properties.type.const
      const summary = MESSAGE_SUMMARIES[name]
      const examples = [{ payload: exampleOf(payload, schemas, name) }]
      return [name, { name, title: name, summary, payload, examples }] as const
    }),
  )
}

type Payload = JsonObject & {
  readonly properties: { readonly type: { readonly const: keyof typeof MESSAGE_SUMMARIES } }
}

function references(messages: Messages, place: string): Record<string, JsonObject> {
  const names = Object.keys(messages)
  return Object.fromEntries(names.map((name) => [name, { $ref: `${place}/${name}` }]))
}

function socketOperation(
  action: 'send' | 'receive',
  messages: Messages,
  summary: string,
): JsonObject {
  return {
    action,
    summary,
    channel: { $ref: '#/channels/socket' },
    messages: Object.values(references(messages, '#/channels/socket/messages')),
  }
}
