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

/** Does some work, and does it again after a pause [ms], until a signal ends it. */
export async function againAndAgain(
  {
    clock,
    signal,
    apartMs,
  }: {
    readonly clock: WallClock
    readonly signal: AbortSignal
    readonly apartMs: number
  },
  work: () => Promise<void>,
): Promise<void> {
  const sleep = createInterruptibleSleep(clock)
  signal.addEventListener('abort', () => sleep.interrupt())
  while (!signal.aborted) {
    await work()
    if (!signal.aborted) await sleep.start(apartMs)
  }
}
