import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** Address of a client without a socket. */
const UNKNOWN = 'unknown'

/** Addresses of clients whose requests came through another server of ours. */
const vouched = new WeakMap<IncomingMessage, string>()

/** Sets the {@link clientAddress} of a request, as another server of ours has seen it. */
export function vouchForClient(context: Context, client: string): void {
  const bindings: Partial<HttpBindings> | undefined = context.env
  if (bindings?.incoming) vouched.set(bindings.incoming, client)
}

/**
 * The key that limits count by: an IPv4 address, or the /64 of an IPv6 address, which one customer
 * has whole. IPv4 addresses mapped into IPv6 are IPv4.
 *
 * @param trustProxy  whether requests come through a proxy of ours: then the *last* hop of
 *   `X-Forwarded-For` counts, the one that proxy wrote; a client can forge earlier ones
 */
export function clientAddress(context: Context, trustProxy: boolean): string {
  // Absent in app.request, which has no socket.
  const bindings: Partial<HttpBindings> | undefined = context.env
  const client = bindings?.incoming && vouched.get(bindings.incoming)
  if (client !== undefined) return client
  return address(
    bindings?.incoming?.socket.remoteAddress,
    trustProxy ? context.req.header('x-forwarded-for') : undefined,
  )
}

/** The same for a request outside Hono, such as a socket's upgrade. */
export function incomingAddress(incoming: IncomingMessage, trustProxy: boolean): string {
  const header = trustProxy ? incoming.headers['x-forwarded-for'] : undefined
  return address(incoming.socket.remoteAddress, Array.isArray(header) ? header.join() : header)
}

function address(remote: string | undefined, forwardedFor: string | undefined): string {
  const hop = forwardedFor?.split(',').at(-1)?.trim()
  return network(hop ?? '') ?? network(remote ?? '') ?? UNKNOWN
}

/** Canonical IPv4 or IPv6 /64 of a text, which may have brackets or a port; else undefined. */
function network(text: string): string | undefined {
  const bare = (/^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text).replace(/%.*$/, '')
  const v4 = isIPv4(bare) ? bare : bare.replace(/:\d+$/, '')
  if (isIPv4(v4)) return v4
  if (!isIPv6(bare)) return undefined
  const groups = ipv6Groups(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >>> 8, high & 255, low >>> 8, low & 255].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight 16-bit groups of a valid IPv6 address. */
function ipv6Groups(text: string): number[] {
  const [head = '', tail] = text.split('::')
  const front = groupsOf(head)
  if (tail === undefined) return front
  const back = groupsOf(tail)
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
}

function groupsOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}
