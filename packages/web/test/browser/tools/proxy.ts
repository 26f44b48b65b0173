// A reverse proxy before a game server, as someone may have set it up.
import { type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface Proxy {
  readonly url: string
  close(): void
}

/**
 * @param sockets  refuses them, or passes them with the server's own name as `Host`, which then is
 *   not the page's
 */
export async function startProxy(target: string, sockets: 'refused' | 'renamed'): Promise<Proxy> {
  const { hostname, port, host } = new URL(target)
  const forward = ({ method, url: path, headers }: IncomingMessage): ReturnType<typeof request> =>
    request({ hostname, port, method, path, headers: { ...headers, host } })
  const server = createServer((incoming, answer) => {
    const forwarded = forward(incoming).on('response', (response) => {
      // The browser may have left meanwhile.
      if (answer.destroyed) {
        response.destroy()
        return
      }
      answer.writeHead(response.statusCode ?? 502, response.headers)
      pipeline(response, answer, () => undefined)
    })
    pipeline(incoming, forwarded, () => undefined)
  })
  server.on('upgrade', (incoming, socket) => {
    socket.on('error', () => undefined)
    if (sockets === 'refused') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    const forwarded = forward(incoming)
    forwarded.on('response', ({ statusCode = 502, statusMessage = '' }) => {
      socket.end(`HTTP/1.1 ${statusCode} ${statusMessage}\r\nConnection: close\r\n\r\n`)
    })
    forwarded.on('upgrade', () => socket.destroy(new Error('The server took the socket')))
    forwarded.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
