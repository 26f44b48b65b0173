import { type IncomingMessage, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import type { ForwardedRequest } from './forwarded-request.ts'

/** Time for a connection, and for the next bytes of an answer. */
const CONNECT_MS = 1000
const SILENCE_MS = 60_000

/** Connections that are kept for later requests. */
const KEPT_MAX = 64

/** No answer has come from the owner. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  /** nothing of the request has been sent */
  readonly isUnsent: boolean

  constructor(message: string, isUnsent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isUnsent = isUnsent
  }
}

/** Connections to the owner of the world. */
export interface OwnerConnections {
  /**
   * Sends a request; resolves with the head of its answer.
   *
   * @throws {Unanswered}
   */
  send(address: string, request: ForwardedRequest): Promise<IncomingMessage>
  close(): void
}

export function createOwnerConnections(): OwnerConnections {
  const options = { keepAlive: true, maxFreeSockets: KEPT_MAX }
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
  return {
    send: (address, { method, path, headers, body, signal }) => {
      const owner = new URL(address)
      const isTls = owner.protocol === 'https:'
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const outgoing = (isTls ? httpsRequest : httpRequest)({
        ...urlToHttpOptions(owner),
        path,
        method,
        headers,
        signal,
        agent: isTls ? agents['https:'] : agents['http:'],
      })
      let isUnsent = true
      const begin = (): void => {
        isUnsent = false
        outgoing.setTimeout(SILENCE_MS, () => outgoing.destroy(new Error('no answer in time')))
        const sent = body?.()
        // A client that breaks off leaves the owner half a request, which must not stay open.
        sent?.once('error', (error) => outgoing.destroy(error))
        if (sent) sent.pipe(outgoing)
        else outgoing.end()
      }
      outgoing.once('socket', (socket) => {
        whenConnected(socket, isTls, begin, () => outgoing.destroy(new Error('no connection')))
      })
      outgoing.once('response', resolve)
      outgoing.on('error', (cause) => {
        const message = isUnsent
          ? 'The owner of the world cannot be reached'
          : 'The owner of the world has not answered; the request may have acted'
        reject(new Unanswered(message, isUnsent, { cause }))
      })
      return promise
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

function whenConnected(socket: Socket, isTls: boolean, act: () => void, onLate: () => void): void {
  if (!socket.connecting) return act()
  const timer = setTimeout(onLate, CONNECT_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.once(isTls ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    act()
  })
}
