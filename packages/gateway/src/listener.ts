import { type Listener, type Logger, StartError, errorText, openListener } from '@orrery/http'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Server as TlsServer, createSecureContext } from 'node:tls'
import type { Config } from './config.ts'
import { errorShape } from './documents/error-shape.ts'

/** A certificate that ends sooner is warned about at the start. */
const CERTIFICATE_DAYS_MIN = 14

const DAY_MS = 86_400_000

/** Between two looks for a renewed certificate. */
const RENEWAL_MS = 60_000

/** A {@link Listener}, with or without TLS. */
export interface GameListener extends Listener {
  /** until when its present certificate is valid [Unix ms]; undefined without TLS */
  certificateEndMs(): number | undefined
  /** takes a renewed pair of files for later connections; also done by itself each minute */
  renew(): Promise<void>
}

/** @throws {StartError} naming the variables at fault */
export async function openGameListener(config: Config, logger: Logger): Promise<GameListener> {
  let tls = await tlsOf(config)
  if (tls) warnOfCertificate(tls.certificate, logger)
  const listener = await openListener({
    host: config.host,
    port: config.port,
    variables: 'HOST, PORT',
    startingMessage: 'The server is starting',
    shape: errorShape,
    logger,
    ...(tls && { tls: tls.pair }),
  })
  const renew = async (): Promise<void> => {
    if (!(listener.server instanceof TlsServer)) return
    try {
      const read = await tlsOf(config)
      if (!read || !tls || read.pair.cert === tls.pair.cert) return
      listener.server.setSecureContext(read.pair)
      tls = read
      logger.info({ until: read.certificate.validTo }, 'the certificate is renewed')
      warnOfCertificate(read.certificate, logger)
    } catch (error) {
      // Of two files that are being replaced only one may be new yet.
      logger.warn({ reason: errorText(error) }, 'the renewed certificate cannot be used yet')
    }
  }
  const timer = tls && setInterval(() => void renew(), RENEWAL_MS)
  return {
    ...listener,
    close: async () => {
      clearInterval(timer)
      await listener.close()
    },
    certificateEndMs: () => tls?.certificate.validToDate.getTime(),
    renew,
  }
}

interface Tls {
  readonly pair: { readonly key: string; readonly cert: string }
  /** the first in the file */
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
    throw new StartError(`SSL_KEYFILE, SSL_CERTFILE: no usable pair: ${errorText(error)}`)
  }
}

/** The error names no path: where a key is stored stays secret. */
async function pem(variable: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new StartError(`${variable}: cannot read the file (${code})`)
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
