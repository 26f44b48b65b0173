import {
  type Logger,
  closeServer,
  createServer,
  errorText,
  healthRoutes,
  listen,
} from '@orrery/http'
import { errorEnvelope } from '@orrery/protocol'
import { Hono } from 'hono'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createSecureContext } from 'node:tls'
import { errorShape } from './error-shape.ts'
import type { Config } from './config.ts'

/** Requests that still run at a stop are cut after this time. */
const GRACE_MS = 2000

/** A certificate that ends sooner is warned about at the start. */
const CERTIFICATE_DAYS_MIN = 14

const DAY_MS = 86_400_000

/** The listening server; it answers 503 until there is a game behind it. */
export interface FrontDoor {
  readonly server: Server
  /** where clients find it */
  readonly address: URL
  /** until when its certificate is valid [Unix ms]; undefined without TLS */
  readonly certificateEndMs: number | undefined
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
  const tls = await tlsOf(config)
  if (tls) warnOfCertificate(tls.certificate, logger)
  let app = starting(logger)
  const server = createServer({
    fetch: (request, bindings) => app.fetch(request, bindings),
    shape: errorShape,
    logger,
    ...(tls && { tls: tls.pair }),
  })
  const { host, port: wanted } = config
  const port = await listen(server, config).catch((error: unknown) => {
    throw new FrontDoorError(`HOST, PORT: cannot listen on ${host}:${wanted}: ${errorText(error)}`)
  })
  return {
    server,
    address: new URL(`${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}`),
    certificateEndMs: tls?.certificate.validToDate.getTime(),
    open: (behind) => {
      app = behind
    },
    close: () => closeServer(server, GRACE_MS),
  }
}

/** What is served while the world is still being opened: alive, not ready. */
function starting(logger: Logger): Hono {
  return new Hono().route('/health', healthRoutes({ ready: () => false, logger })).all('*', () =>
    Response.json(errorEnvelope('E008', 'The server is starting'), {
      status: 503,
      headers: { 'Retry-After': '1' },
    }),
  )
}

interface Tls {
  readonly pair: { readonly key: string; readonly cert: string }
  /** the server's own, first in its file */
  readonly certificate: X509Certificate
}

async function tlsOf({ keyFile, certificateFile }: Config): Promise<Tls | undefined> {
  if (keyFile === undefined || certificateFile === undefined) return undefined
  const [key, cert] = await Promise.all([
    pem('SSL_KEYFILE', keyFile.reveal()),
    pem('SSL_CERTFILE', certificateFile),
  ])
  try {
    createSecureContext({ key, cert })
    return { pair: { key, cert }, certificate: new X509Certificate(cert) }
  } catch (error) {
    throw new FrontDoorError(`SSL_KEYFILE, SSL_CERTFILE: no usable pair: ${errorText(error)}`)
  }
}

/** Where a key lies is nobody's business: of what goes wrong only the code is told. */
async function pem(variable: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new FrontDoorError(`${variable}: cannot read the file (${code})`)
  }
}

function warnOfCertificate({ validFromDate, validToDate }: X509Certificate, logger: Logger): void {
  const nowMs = Date.now()
  const validity = { from: validFromDate.toISOString(), until: validToDate.toISOString() }
  if (validFromDate.getTime() > nowMs) logger.warn(validity, 'the certificate is not valid yet')
  else if (validToDate.getTime() < nowMs) logger.warn(validity, 'the certificate has expired')
  else if (validToDate.getTime() < nowMs + CERTIFICATE_DAYS_MIN * DAY_MS) {
    logger.warn(validity, 'the certificate expires soon')
  }
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
