import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

/**
 * What is wrong with the `Host` of a request; undefined when nothing is.
 *
 * @source RFC 9112, section 3.2
 */
export function hostHeaderFault({
  headersDistinct,
  httpVersion,
}: Pick<IncomingMessage, 'headersDistinct' | 'httpVersion'>): string | undefined {
  const { length } = headersDistinct['host'] ?? []
  if (length > 1) return 'The header Host is repeated'
  return length === 0 && httpVersion !== '1.0' ? 'The header Host is missing' : undefined
}

/** Whether a host name or address, bare or as in a URL, is reached from this machine only. */
export function isLoopbackName(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/**
 * Whether a request may name a host: an allowed one, this machine, or an address. The DNS of a
 * foreign page can point its own name here, and its requests then count as of the same origin.
 *
 * @param header  the `Host` of a request; undefined in HTTP/1.0
 */
export function isHostAllowed(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return true
  const { hostname = '' } = URL.parse(`http://${header}`) ?? {}
  const address = hostname.replace(/^\[|\]$/g, '')
  return isLoopbackName(hostname) || isIP(address) > 0 || allowed.includes(hostname)
}
