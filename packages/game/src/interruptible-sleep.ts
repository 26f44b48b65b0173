import type { WallClock } from '@orrery/engine'

export interface InterruptibleSleep {
  /** resolves after a time, or when interrupted */
  start(ms: number): Promise<void>
  interrupt(): void
}

export function createInterruptibleSleep(clock: WallClock): InterruptibleSleep {
  let interrupt = (): void => undefined
  return {
    start: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve)
        interrupt = () => {
          cancel()
          resolve()
        }
      }),
    interrupt: () => interrupt(),
  }
}
