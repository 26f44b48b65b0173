import type { Bus } from './bus.ts'
import type { BusOptions } from './options.ts'

/**
 * A bus by NATS. It begins connected where a server is reached within 2 s, else away; an outage
 * later never ends it. Only this loads the client of NATS.
 *
 * @throws {BusError} 'ERR_BUS_REFUSED'
 */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { openNatsBus } = await import('./nats/nats-bus.ts')
  return openNatsBus(options)
}
