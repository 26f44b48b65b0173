import { EXIT, Failure } from './failure.ts'

/** Hosts of this machine, which a server without a certificate serves. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/i

/**
 * The address of a server as it is kept: without the console's path and a final slash.
 *
 * @throws {Failure} when it is no address; the message has an example
 */
export function serverAddress(text: string): string {
  const given = text.trim()
  const url = URL.parse(LOOPBACK.test(given) ? `http://${given}` : given)
  if (!url || !/^https?:$/.test(url.protocol)) {
    const host = /^[\w.-]+(?::\d+)?(?:\/.*)?$/.test(given) ? given : 'orrery.example'
    throw unusable(given, `write it as https://${host}`)
  }
  if (url.username || url.password) throw unusable(given, 'it has a name or a password')
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/admin$/, '')
}

function unusable(given: string, why: string): Failure {
  return new Failure(EXIT.usage, `"${given}" is no address of a server: ${why}.`)
}
