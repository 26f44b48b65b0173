import type { Bus } from '@orrery/bus'
import { systemClock } from '@orrery/engine'
import { createPresence } from '@orrery/game'
import { randomUUID } from 'node:crypto'
import type { SocketsOptions } from './sockets/upgrade.ts'

/** How sockets join those of the other servers on a bus. */
export function othersOn(
  bus: Pick<Bus, 'publish' | 'subscribe'> | undefined,
): SocketsOptions['joinOthers'] {
  if (!bus) return undefined
  return (receiver) =>
    createPresence({ ...receiver, bus, process: randomUUID(), clock: systemClock })
}
