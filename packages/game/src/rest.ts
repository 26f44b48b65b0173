import type { WallClock } from '@orrery/engine'

/** A pause that can be cut short. */
export interface Rest {
  take(ms: number): Promise<void>
  end(): void
}

export function createRest(clock: WallClock): Rest {
  let end = (): void => undefined
  return {
    take: (ms) =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve)
        end = () => {
          cancel()
          resolve()
        }
      }),
    end: () => end(),
  }
}
