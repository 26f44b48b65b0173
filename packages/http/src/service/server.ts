import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { type ErrorOptions, SERVER_FAULT } from '../errors/error-responses.ts'
import { hostHeaderFault } from '../limits/host-header.ts'
import type { ErrorShape, Fault } from '../errors/http-error.ts'

/** Bytes of all headers of a request together; more are 431. */
const HEADER_BYTES_MAX = 16_384

/** As many headers as fit into their bytes; Node would silently drop those beyond a lower limit. */
const HEADERS_MAX = HEADER_BYTES_MAX / 4

/** Time to read the answer to an unreadable request, before its connection is cut. */
const LINGER_MS = 1000

/** For a request of HTTP/1.0, which need not name a host. */
const UNNAMED_HOST = 'localhost'

/** How long a client that sends slowly, or nothing, may hold a connection [ms]. */
export interface Patience {
  /** for the TLS handshake */
  readonly handshakeMs: number
  /** for all headers, from the connection's start or the request before */
  readonly headersMs: number
  /** for the whole request */
  readonly requestMs: number
  /** for the next request */
  readonly keepAliveMs: number
  /** between two checks of the times of headers and requests */
  readonly checkMs: number
  /** for a connection without traffic; 0 is no limit */
  readonly idleMs: number
}

const PATIENCE: Patience = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5000,
  checkMs: 5000,
  idleMs: 0,
}

/** What a server serves, and how. */
export interface ServerOptions extends ErrorOptions {
  /** An app's `fetch`. */
  readonly fetch: Parameters<typeof getRequestListener>[0]
  /** Key and certificate as PEM; with them the server uses TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly patience?: Patience
}

/** A Node server for an app, not yet listening; an unreadable request gets a 400 in shape. */
export function createServer({
  fetch,
  shape,
  logger,
  tls,
  patience = PATIENCE,
}: ServerOptions): Server {
  const listener = getRequestListener(fetch, {
    hostname: UNNAMED_HOST,
    errorHandler: (error) => {
      if (error instanceof Error && error.name === 'RequestError') {
        const message = 'Request could not be read'
        return response({ status: 400, code: 'malformed', message }, shape)
      }
      logger.error({ err: error }, 'unexpected')
      return response(SERVER_FAULT, shape)
    },
  })
  const refuse = (outgoing: ServerResponse, status: Fault['status'], message: string): void => {
    const body = JSON.stringify(shape({ status, code: 'malformed', message }))
    outgoing.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    outgoing.end(body)
  }
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const fault = hostHeaderFault(incoming)
    if (fault === undefined) void listener(incoming, outgoing)
    else refuse(outgoing, 400, fault)
  }
  const options = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.keepAliveMs,
    connectionsCheckingInterval: patience.checkMs,
    // Node would answer without a body.
    requireHostHeader: false,
    // Node would cut an upgrade without a listener; the app answers it.
    shouldUpgradeCallback: (incoming: IncomingMessage) =>
      isWebSocket(incoming) && server.listenerCount('upgrade') > 0,
  }
  const server: Server =
    tls === undefined
      ? createHttpServer(options, serve)
      : createHttpsServer({ ...options, ...tls, handshakeTimeout: patience.handshakeMs }, serve)
  server.maxHeadersCount = HEADERS_MAX
  server.setTimeout(patience.idleMs)
  server.on('checkExpectation', (_, outgoing: ServerResponse) => {
    refuse(outgoing, 417, 'The header Expect asks for what is not offered')
  })
  // Node would cut the connection.
  server.on('connect', (_, stream) => refuseTunnel(stream, shape))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(unreadable(error.code, shape))
    // A client that reads has its answer by then; one that never ends its own side would stay.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
  return server
}

function refuseTunnel(stream: Duplex, shape: ErrorShape): void {
  const fault: Fault = { status: 405, code: 'wrong_method', message: 'CONNECT is not offered' }
  stream.on('error', () => stream.destroy())
  stream.end(wholeAnswer('405 Method Not Allowed', fault, shape, ['Allow: GET']))
  setTimeout(() => stream.destroy(), LINGER_MS).unref()
}

/** Other upgrades, such as h2c, are optional to the client and answered plainly. */
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

const UNREADABLE: ReadonlyMap<string | undefined, string> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
])

/** The whole answer to a request that Node's parser rejected. */
function unreadable(code: string | undefined, shape: ErrorShape): string {
  const status = UNREADABLE.get(code) ?? '400 Bad Request'
  const fault: Fault = { status: 400, code: 'malformed', message: 'Request could not be read' }
  return wholeAnswer(status, fault, shape)
}

function wholeAnswer(
  status: string,
  fault: Fault,
  shape: ErrorShape,
  headers: readonly string[] = [],
): string {
  const body = JSON.stringify(shape(fault))
  return [
    `HTTP/1.1 ${status}`,
    ...headers,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

function response(fault: Fault, shape: ErrorShape): Response {
  return Response.json(shape(fault), { status: fault.status })
}

/** Listens, and gives the port it got. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  server.once('error', reject)
  server.listen(port, host, () => {
    resolve(undefined)
  })
  await promise
  server.off('error', reject)
  const bound: AddressInfo | string | null = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : port
}

/**
 * Stops listening and waits for running requests; after the grace they are cut. Upgraded
 * connections are not cut: their owner ends them before.
 *
 * @param graceMs  time left to running requests [ms]
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.close(() => {
    resolve(undefined)
  })
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await promise
  clearTimeout(timer)
}
