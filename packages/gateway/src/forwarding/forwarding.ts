import type { WallClock } from '@orrery/engine'
import { clientAddress } from '@orrery/http'
import type { Handler } from 'hono'
import type { Config } from '../config.ts'
import { createClientHeader } from './client-header.ts'
import { createOwnerAddress } from './owner-address.ts'
import { createOwnerConnections } from './owner-connections.ts'
import { type ForwardingCounters, createOwnerProxy } from './owner-proxy.ts'

export interface ForwardingOptions {
  readonly config: Pick<Config, 'tokenKey' | 'trustProxy'>
  /** reads from the database where the owner of the world is; undefined without one */
  readonly readOwner: () => Promise<string | undefined>
  readonly clock: WallClock
}

/** Hands requests on to the owner of the world. */
export interface Forwarding {
  /** answers with what the owner answers; the last handler of an app */
  readonly toOwner: Handler
  counters(): Readonly<ForwardingCounters>
  close(): void
}

export function createForwarding({ config, readOwner, clock }: ForwardingOptions): Forwarding {
  const connections = createOwnerConnections()
  const proxy = createOwnerProxy({
    ownerAddress: createOwnerAddress(readOwner, () => clock.monotonicMs()),
    connections,
    clientHeader: createClientHeader(config.tokenKey, () => clock.utcMs()),
    addressOf: (context) => clientAddress(context, config.trustProxy),
    clock,
  })
  return {
    toOwner: (context) => proxy.forward(context),
    counters: () => proxy.counters(),
    close: () => connections.close(),
  }
}
