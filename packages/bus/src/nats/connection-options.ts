import { readFileSync } from 'node:fs'
import { type ConnectionOptions, credsAuthenticator } from '@nats-io/transport-node'
import type { BusOptions } from '../options.ts'

/** A server that does not answer two of these is given up. */
const PING_MS = 500
const PINGS_MAX = 2

/** Between two attempts to connect; they never end. */
export const RETRY_MS = 50

/** A server that is stopped takes a connection, and says nothing. */
const DIAL_MS = 2000

/** @throws {Error} when the URL or a file cannot be read */
export function connectionOptions(options: BusOptions): ConnectionOptions {
  const { credentialsFile, caFile, certificateFile: certFile, keyFile, name } = options
  const urls = options.url.split(',').map((url) => new URL(url.trim()))
  const odd = urls.find(({ protocol }) => !['nats:', 'tls:'].includes(protocol))
  if (odd) throw new Error(`a bus has a URL of nats:// or tls://, not ${odd.protocol}//`)
  const [{ username, password }] = urls as [URL, ...URL[]]
  const [user, pass] = [username, password].map(decodeURIComponent)
  const files = Object.entries({ caFile, certFile, keyFile }).filter(([, file]) => file)
  const isEncrypted = files.length > 0 || urls.some(({ protocol }) => protocol === 'tls:')
  return {
    servers: urls.map(({ host }) => host),
    ...(pass ? { user, pass } : user && { token: user }),
    ...(credentialsFile && { authenticator: credsAuthenticator(readFileSync(credentialsFile)) }),
    ...(isEncrypted && { tls: Object.fromEntries(files) }),
    ...(name !== undefined && { name }),
    pingInterval: PING_MS,
    maxPingOut: PINGS_MAX,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    reconnectJitterTLS: RETRY_MS,
    maxReconnectAttempts: -1,
    // Credentials that were revoked may be granted again.
    ignoreAuthErrorAbort: true,
    timeout: DIAL_MS,
    noAsyncTraces: true,
  }
}
