// A relay in front of a server, which can fall silent or be gone.
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export interface Relay {
  readonly url: string
  /** From now on nothing passes, and nothing ends. */
  silence(): void
  /** Ends all connections, and accepts none. */
  remove(): void
}

export async function startRelay(to: string): Promise<Relay> {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  let isSilent = false
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    const pass = (from: Socket, onwards: Socket): void => {
      sockets.add(from)
      from.on('error', () => from.destroy())
      from.on('data', (bytes) => isSilent || onwards.write(bytes))
      from.on('close', () => isSilent || onwards.destroy())
    }
    pass(client, server)
    pass(server, client)
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const url = new URL(to)
  url.port = String((relay.address() as AddressInfo).port)
  return {
    url: url.href,
    silence: () => {
      isSilent = true
    },
    remove: () => {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
