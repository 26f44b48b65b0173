// Goal: limits count by the address of the peer, not by the headers it sends.
// Method: a real port on IPv4 and IPv6; with a trusted proxy the last hop of X-Forwarded-For, in
// all the ways an address can be written.
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ErrorShape,
  clientAddress,
  closeServer,
  createLogger,
  createServer,
  incomingAddress,
  listen,
} from '../src/index.ts'

const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
const HAS_IPV6 = addresses.some(({ address }) => address === '::1')

const shape: ErrorShape = ({ code }) => ({ code })
const app = new Hono()
app.get('/direct', (context) => context.text(clientAddress(context, false)))
app.get('/proxied', (context) => context.text(clientAddress(context, true)))
let server: Server
let port: number
/** What `incomingAddress` gave for each request, without and with a trusted proxy. */
const incoming: (readonly [direct: string, proxied: string])[] = []

beforeAll(async () => {
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  server = createServer({ fetch: app.fetch, shape, logger })
  server.on('request', (request) => {
    incoming.push([incomingAddress(request, false), incomingAddress(request, true)])
  })
  // Dual stack: IPv4 clients come as ::ffff:127.0.0.1.
  port = await listen(server, { host: HAS_IPV6 ? '::' : '127.0.0.1', port: 0 })
})
afterAll(() => closeServer(server, 1000))

async function seen(path: string, forwardedFor?: string, host = '127.0.0.1'): Promise<string> {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return (await fetch(`http://${host}:${port}${path}`, { headers })).text()
}

test('the socket counts, IPv4 in its own form', async () => {
  expect(await seen('/direct')).toBe('127.0.0.1')
  expect(await seen('/direct', '203.0.113.9')).toBe('127.0.0.1')
  expect(incoming.at(-1)).toEqual(['127.0.0.1', '203.0.113.9'])
  expect(await (await app.request('/direct')).text()).toBe('unknown')
})

test.skipIf(!HAS_IPV6)('the socket counts, IPv6 by its /64 (on a machine with ::1)', async () => {
  expect(await seen('/direct', undefined, '[::1]')).toBe('0:0:0:0::/64')
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['spoofed, 1.1.1.1,203.0.113.9 ', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0::ffff:203.0.113.9', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:203.0.113.9', '1:2:3:4::/64'],
  // What is no address leaves the socket's.
  ['203.0.113.9, unknown', '127.0.0.1'],
  ['203.0.113.999', '127.0.0.1'],
  ['2001:db8::1::2', '127.0.0.1'],
  [',', '127.0.0.1'],
  [' ', '127.0.0.1'],
])('behind a proxy %j is %s', async (forwardedFor, expected) => {
  expect(await seen('/proxied', forwardedFor)).toBe(expected)
  expect(incoming.at(-1)).toEqual(['127.0.0.1', expected])
})
