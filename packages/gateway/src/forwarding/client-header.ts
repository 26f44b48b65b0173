import { type Secret, vouchForClient } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Names the client of a request that a gateway has forwarded. */
export const CLIENT_HEADER = 'x-orrery-client'

/** A header that is older was recorded somewhere. */
const VALID_MS = 60_000

/** The address of a client, signed by one server for another with the same key of tokens. */
export interface ClientHeader {
  write(address: string): string
  /** the address; undefined in a header that no server has just signed */
  read(header: string | undefined): string | undefined
}

export function createClientHeader(tokenKey: Secret, utcMs: () => number): ClientHeader {
  const key = createHmac('sha256', tokenKey.reveal()).update(CLIENT_HEADER).digest()
  const signature = (address: string, atMs: string): Buffer =>
    createHmac('sha256', key).update(`${atMs} ${address}`).digest()
  return {
    write: (address) => {
      const atMs = String(utcMs())
      return [address, atMs, signature(address, atMs).toString('base64url')].join(' ')
    },
    read: (header) => {
      if (header === undefined) return undefined
      const [address = '', atMs = '', given = ''] = header.split(' ')
      const shown = Buffer.from(given, 'base64url')
      const right = signature(address, atMs)
      const isRight = shown.length === right.length && timingSafeEqual(shown, right)
      return isRight && Math.abs(utcMs() - Number(atMs)) <= VALID_MS ? address : undefined
    },
  }
}

/** Limits count a forwarded request by its client, not by the gateway. */
export function forwardedClients(clientHeader: ClientHeader): MiddlewareHandler {
  return (context, next) => {
    const client = clientHeader.read(context.req.header(CLIENT_HEADER))
    if (client !== undefined) vouchForClient(context, client)
    return next()
  }
}
