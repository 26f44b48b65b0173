import type { WallClock } from '@orrery/engine'
import { HttpError, breakOff } from '@orrery/http'
import type { Context } from 'hono'
import { requestOf } from './forwarded-request.ts'
import { CLIENT_HEADER, type ClientHeader } from './client-header.ts'
import { responseOf } from './forwarded-response.ts'
import { type OwnerConnections, Unanswered } from './owner-connections.ts'
import type { OwnerAddress } from './owner-address.ts'

/** Requests that may be open at once. */
const OPEN_MAX = 1000

/** Time for which an owner is looked for, and between two looks. */
const SEEK_MS = 2000
const AGAIN_MS = 100

/** Requests that may be sent twice. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface OwnerProxyOptions {
  readonly ownerAddress: OwnerAddress
  readonly connections: Pick<OwnerConnections, 'send'>
  readonly clientHeader: ClientHeader
  readonly addressOf: (context: Context) => string
  readonly clock: Pick<WallClock, 'monotonicMs' | 'after'>
}

/** Since the start. */
export interface ForwardingCounters {
  /** at this moment */
  open: number
  forwarded: number
  /** sent again, to the owner of then */
  repeated: number
  /** answered without an owner */
  failed: number
}

/** Hands requests on to the owner of the world, whole, and its answers back. */
export interface OwnerProxy {
  /** @throws {HttpError} 503 E008 when no owner has answered */
  forward(context: Context): Promise<Response>
  counters(): Readonly<ForwardingCounters>
}

export function createOwnerProxy(options: OwnerProxyOptions): OwnerProxy {
  const { ownerAddress, connections, clientHeader, addressOf, clock } = options
  const counters: ForwardingCounters = { open: 0, forwarded: 0, repeated: 0, failed: 0 }

  const answered = async (context: Context): Promise<Response> => {
    const untilMs = clock.monotonicMs() + SEEK_MS
    const client = clientHeader.write(addressOf(context))
    for (let isRepeated = false; ; isRepeated = true) {
      const address = await ownerAddress.current()
      if (isRepeated) counters.repeated++
      try {
        if (address === undefined) throw new Unanswered('No process owns the world now', true)
        const request = requestOf(context, client)
        const answer = await connections.send(address, request)
        const onEnd = (): void => void counters.open--
        return responseOf({ answer, onEnd, breakOff: () => breakOff(context) })
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        ownerAddress.forget()
        const isLate = clock.monotonicMs() >= untilMs
        const mayRepeat = error.isUnsent || (REPEATABLE.has(context.req.method) && !isRepeated)
        if (isLate || !mayRepeat) throw unavailable(error.message)
        await new Promise<void>((resolve) => void clock.after(AGAIN_MS, resolve))
      }
    }
  }

  return {
    forward: async (context) => {
      // The row of owners and this server disagree on who owns the world.
      if (clientHeader.read(context.req.header(CLIENT_HEADER)) !== undefined) {
        throw unavailable('This server does not own the world')
      }
      if (counters.open >= OPEN_MAX) throw unavailable('Too many requests wait for the owner')
      counters.open++
      counters.forwarded++
      try {
        return await answered(context)
      } catch (error) {
        counters.open--
        counters.failed++
        throw error
      }
    },
    counters: () => counters,
  }
}

function unavailable(message: string): HttpError {
  return new HttpError(503, 'E008', message, { headers: { 'Retry-After': '1' } })
}
