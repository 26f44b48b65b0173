import { type Logger, closeServer, createServer, listen } from '@orrery/http'
import { errorEnvelope } from '@orrery/protocol'
import type { Hono } from 'hono'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { errorShape } from './app.ts'
import type { Config } from './config.ts'

/** Requests that still run at a stop are cut after this time. */
const GRACE_MS = 2000

/** The listening server; it answers 503 until there is a game behind it. */
export interface FrontDoor {
  readonly server: Server
  /** where clients find it */
  readonly address: URL
  open(app: Hono): void
  /** refuses newcomers and waits for requests that run */
  close(): Promise<void>
}

/** The environment asks for an address or files that are not to be had. */
export class FrontDoorError extends Error {
  override readonly name = 'FrontDoorError'
  readonly code = 'ERR_FRONT_DOOR'
}

/**
 * Listens before anything costly is done, so that a taken port is known at once.
 *
 * @throws {FrontDoorError} naming the variables at fault
 */
export async function openFrontDoor(config: Config, logger: Logger): Promise<FrontDoor> {
  const tls = await tlsFiles(config)
  let app: Hono | undefined
  const server = createServer({
    fetch: (request, bindings) => app?.fetch(request, bindings) ?? starting(),
    shape: errorShape,
    logger,
    ...(tls && { tls }),
  })
  const { host, port: wanted } = config
  const port = await listen(server, config).catch((error: unknown) => {
    throw new FrontDoorError(`HOST, PORT: cannot listen on ${host}:${wanted}: ${reason(error)}`)
  })
  return {
    server,
    address: new URL(`${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}`),
    open: (behind) => {
      app = behind
    },
    close: () => closeServer(server, GRACE_MS),
  }
}

function starting(): Response {
  return Response.json(errorEnvelope('E008', 'The server is starting'), {
    status: 503,
    headers: { 'Retry-After': '1' },
  })
}

async function tlsFiles({
  keyFile,
  certificateFile,
}: Config): Promise<{ key: string; cert: string } | undefined> {
  if (keyFile === undefined || certificateFile === undefined) return undefined
  const read = (name: string, file: string): Promise<string> =>
    readFile(file, 'utf8').catch((error: unknown) => {
      throw new FrontDoorError(`${name}: cannot read the file: ${reason(error)}`)
    })
  const [key, cert] = await Promise.all([
    read('SSL_KEYFILE', keyFile),
    read('SSL_CERTFILE', certificateFile),
  ])
  return { key, cert }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
