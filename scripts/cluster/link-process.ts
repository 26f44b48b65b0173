/** The process of a link: passes bytes on to a server, as it is asked to. */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import type { Way, Ways } from './link.ts'

/** Until a packet is sent again that was lost [ms], and its size [bytes]. */
const AGAIN_MS = 200
const PACKET_BYTES = 1460

const [, , host = '', port = ''] = process.argv
let ways: Ways = {}
/** sockets that are not read before the link heals */
const held = new Set<() => void>()

function pass(from: Socket, to: Socket, way: () => Way): void {
  const send = (bytes: Buffer): void => {
    const { bytesPerSecond = Infinity, isCut = false, loss = 0 } = way()
    from.pause()
    if (isCut) return void held.add(() => send(bytes))
    const isLost = Math.random() > (1 - loss) ** Math.ceil(bytes.length / PACKET_BYTES)
    const waitMs = (1000 * bytes.length) / bytesPerSecond + (isLost ? AGAIN_MS : 0)
    const deliver = (): void => {
      to.write(bytes)
      from.resume()
    }
    if (waitMs > 0) setTimeout(deliver, waitMs)
    else deliver()
  }
  from.setNoDelay(true)
  from.on('data', send)
  from.on('error', () => from.destroy())
  const close = (): void => {
    if (way().isCut) held.add(close)
    else to.destroy()
  }
  from.on('close', close)
}

const server = createServer((client) => {
  const open = (): void => {
    const onwards = connect(Number(port), host)
    pass(client, onwards, () => ways.there ?? {})
    pass(onwards, client, () => ways.back ?? {})
  }
  // A handshake needs both ways.
  if (ways.there?.isCut || ways.back?.isCut) held.add(open)
  else open()
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (next: Ways) => {
  ways = next
  const waiting = [...held]
  held.clear()
  for (const go of waiting) go()
})
