import type { Engine } from '@orrery/engine'
import { type SerialQueue, createSerialQueue } from '@orrery/game'
import type { Logger } from '@orrery/http'
import { createStandstillLog } from './standstill.ts'

/** What looks at the clock, and how changes of it wait for each other. */
export function watchClock({
  engine,
  logger,
}: {
  readonly engine: Pick<Engine, 'status'>
  readonly logger: Logger
}): {
  readonly controlQueue: SerialQueue
  readonly clockWatches: readonly { start(): void; stop(): void }[]
} {
  const standstill = createStandstillLog(logger, () => engine.status().ticksDropped)
  return { controlQueue: createSerialQueue(), clockWatches: [standstill] }
}
