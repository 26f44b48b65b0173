import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type ErrorOptions, SERVER_FAULT } from './error-responses.ts'
import type { ErrorShape, Fault } from './http-error.ts'

/** Limits of a connection: a client that sends slowly or too much cannot hold one for long. */
const LIMITS = {
  // Time for all headers, and for the whole request [ms].
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  // Bytes of all headers together.
  maxHeaderSize: 16_384,
  // How often the two times above are looked at [ms].
  connectionsCheckingInterval: 5000,
} as const

/** What a server serves, and how. */
export interface ServerOptions extends ErrorOptions {
  /** An app's `fetch`. */
  readonly fetch: Parameters<typeof getRequestListener>[0]
  /** Key and certificate as PEM; with them the server speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A Node server for an app, not yet listening; an unreadable request gets a 400 in shape. */
export function createServer({ fetch, shape, logger, tls }: ServerOptions): Server {
  const listener = getRequestListener(fetch, {
    errorHandler: (error) => {
      if (error instanceof Error && error.name === 'RequestError') {
        const message = 'Request could not be read'
        return response({ status: 400, code: 'malformed', message }, shape)
      }
      logger.error({ err: error }, 'unexpected')
      return response(SERVER_FAULT, shape)
    },
  })
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void listener(incoming, outgoing)
  }
  return tls === undefined
    ? createHttpServer(LIMITS, serve)
    : createHttpsServer({ ...LIMITS, ...tls }, serve)
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
 * connections are no longer the server's to cut: whoever took them ends them before.
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
