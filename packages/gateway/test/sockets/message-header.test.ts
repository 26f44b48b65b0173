// Goal: a WebSocket client reads our own header and its text or bytes as one message, at every
// width of the length. Method: a real client, and a server that writes without ws.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { headerLength, writeHeader } from '../../src/connection/message-header.ts'

const server = createServer()
const ws = new WebSocketServer({ noServer: true })
let stream: Duplex
let client: WebSocket

beforeAll(async () => {
  server.on('upgrade', (request, upgraded: Duplex, head) => {
    stream = upgraded
    ws.handleUpgrade(request, upgraded, head, () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  client = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(client, 'open')
})

afterAll(() => {
  client.terminate()
  server.close()
})

test.each([
  [1, 2],
  [125, 2],
  [126, 4],
  [65_535, 4],
  [65_536, 10],
  [200_000, 10],
])('a message of %i bytes has a header of %i', async (length, header) => {
  expect(headerLength(length)).toBe(header)
  const message = 'x'.repeat(length)
  const bytes = Buffer.alloc(header + length, message)
  for (const isBinary of [false, true]) {
    writeHeader(bytes, length, isBinary)
    bytes.write(message, header)
    stream.write(bytes)
    const [data, cameAsBinary] = (await once(client, 'message')) as [Buffer, boolean]
    expect(cameAsBinary).toBe(isBinary)
    expect(data.toString()).toBe(message)
  }
})
