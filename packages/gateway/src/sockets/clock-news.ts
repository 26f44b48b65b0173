import type { Engine } from '@orrery/engine'
import type { ServerMessage } from '@orrery/protocol'
import { clockMessage } from '../wire-views.ts'

/** What players have been told of how game time runs. */
export interface ClockNews {
  /** what has changed since it was last told */
  take(): ServerMessage | undefined
  isTold(tickRate: number, timeScale: number): void
}

/** Notices what nobody's request changed, such as the rate by the adaptive controller. */
export function createClockNews(engine: Engine): ClockNews {
  const key = (tickRate: number, timeScale: number): string => `${tickRate} ${timeScale}`
  const { tickRate, timeScale } = engine.status()
  let told = key(tickRate, timeScale)
  return {
    take: () => {
      const status = engine.status()
      const now = key(status.tickRate, status.timeScale)
      if (now === told) return undefined
      told = now
      return clockMessage(status)
    },
    isTold: (tickRate, timeScale) => {
      told = key(tickRate, timeScale)
    },
  }
}
