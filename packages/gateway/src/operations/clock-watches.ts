import { type SerialQueue, createSerialQueue } from '@orrery/game'
import type { Logger } from '@orrery/http'
import { createStandstillLog } from './standstill.ts'
import { type VotedPaceOptions, createVotedPace } from './voted-pace.ts'

/** What looks at the clock, and how changes of it wait for each other. */
export function watchClock(
  parts: Omit<VotedPaceOptions, 'controlQueue'> & { readonly logger: Logger },
): {
  readonly controlQueue: SerialQueue
  readonly clockWatches: readonly { start(): void; stop(): void }[]
} {
  const { engine, logger } = parts
  const controlQueue = createSerialQueue()
  const standstill = createStandstillLog(logger, () => engine.status().ticksDropped)
  return { controlQueue, clockWatches: [standstill, createVotedPace({ ...parts, controlQueue })] }
}
