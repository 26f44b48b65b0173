import type { Server } from 'node:http'
import { Hono } from 'hono'
import type { ErrorOptions } from '../errors/error-responses.ts'
import { errorText } from '../errors/error-text.ts'
import { healthRoutes } from './health.ts'
import type { Fault } from '../errors/http-error.ts'
import { type ServerOptions, closeServer, createServer, listen } from './server.ts'

/** Requests that still run at a stop are cut after this time. */
const GRACE_MS = 2000

/** What keeps a service from starting; the message is one line for its operator. */
export class StartError extends Error {
  override readonly name = 'StartError'
  readonly code = 'ERR_START'
}

export interface ListenerOptions extends Omit<ServerOptions, 'fetch'> {
  readonly host: string
  /** 0 lets the system choose */
  readonly port: number
  /** names of the variables that host and port come from, for errors */
  readonly variables: string
  /** message of the 503 that every request gets until the app is there */
  readonly startingMessage: string
}

/** A listening server; it answers 503 until there is an app behind it. */
export interface Listener {
  readonly server: Server
  /** where clients find it */
  readonly address: URL
  /** serves an app from now on */
  open(app: Hono): void
  /** refuses new connections, waits for running requests and cuts them after 2 s */
  close(): Promise<void>
}

/**
 * Listens before anything costly is done, so that a taken port is known at once.
 *
 * @throws {StartError} naming the variables at fault
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { host, port: wanted, variables, tls } = options
  let app = waitingApp({ ...options, message: () => options.startingMessage })
  const server = createServer({
    ...options,
    fetch: (request, bindings) => app.fetch(request, bindings),
  })
  const port = await listen(server, options).catch((error: unknown) => {
    const text = errorText(error)
    throw new StartError(`${variables}: cannot listen on ${host}:${wanted}: ${text}`)
  })
  const hostInUrl = host.includes(':') ? `[${host}]` : host
  return {
    server,
    address: new URL(`${tls ? 'https' : 'http'}://${hostInUrl}:${port}`),
    open: (behind) => {
      app = behind
    },
    close: () => closeServer(server, GRACE_MS),
  }
}

/**
 * An app that is alive and not ready: every request gets 503.
 *
 * @param message  why, at this moment
 */
export function waitingApp({
  message,
  shape,
  logger,
}: ErrorOptions & { readonly message: () => string }): Hono {
  return new Hono().route('/health', healthRoutes({ ready: message, logger })).all('*', () => {
    const fault: Fault = { status: 503, code: 'starting', message: message() }
    return Response.json(shape(fault), { status: fault.status, headers: { 'Retry-After': '1' } })
  })
}

/** A service that listens. */
export interface Service {
  /** where clients find it */
  readonly address: URL
  /** resolves, with the reason, when the service has lost its data: only stopping is left */
  readonly ownershipLost?: Promise<string>
  /** lets running requests end, then closes everything */
  stop(): Promise<void>
}

/** What is served, and how connections end that the server has handed over. */
export interface Served {
  readonly app: Hono
  /** closes upgraded connections */
  readonly closeUpgraded?: () => Promise<void>
}

/**
 * Opens what is behind a listener, then serves it. A failure closes all that was open.
 *
 * @param open  defers to its argument the closing of each thing it opens; the last is closed first
 */
export async function serve(
  listener: Listener,
  open: (opened: AsyncDisposableStack) => Promise<Served>,
): Promise<Service> {
  const opened = new AsyncDisposableStack()
  let closeUpgraded: Served['closeUpgraded']
  const stop = async (): Promise<void> => {
    try {
      await Promise.all([closeUpgraded?.(), listener.close()])
    } finally {
      await opened.disposeAsync()
    }
  }
  try {
    const served = await open(opened)
    closeUpgraded = served.closeUpgraded
    listener.open(served.app)
  } catch (error) {
    await stop()
    throw error
  }
  return { address: listener.address, stop }
}
