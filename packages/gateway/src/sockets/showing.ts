import type { Engine, EngineStatus, WallClock } from '@orrery/engine'
import { createFanOut } from './fan-out.ts'
import { type TickFrames, tickFrames } from './frames.ts'
import type { PlayerSocket } from './player-socket.ts'
import { systemObjects } from './system-objects.ts'

/** A frame beside the ticks comes so long after the last one at the earliest, for all together. */
const EXTRA_FRAMES_MS = 100

/** Shows clients the world, tick by tick and when they ask. */
export interface Showing {
  /** the world was published: by a tick, or while paused by a structural command */
  publish(): void
  /** somebody wants a frame before the next tick */
  want(player: PlayerSocket): void
  /** wall time from the end of the last tick that is over to its last frame written [ms] */
  fanOutMs(): number
}

export interface ShowingOptions {
  readonly engine: Engine
  readonly clock: WallClock
  readonly era: () => number
  readonly everybody: () => Iterable<PlayerSocket>
  readonly onFanOut: (ms: number) => void
  readonly onError: (error: unknown) => void
}

export function createShowing(options: ShowingOptions): Showing {
  const { engine, clock, era, everybody, onFanOut, onError } = options
  const wanting = new Set<PlayerSocket>()
  const fanOut = createFanOut(() => clock.monotonicMs(), onFanOut)
  let isWaiting = false
  let shownMs = -Infinity

  const frames = (status: EngineStatus): TickFrames =>
    tickFrames({ status, era: era(), sky: engine.sky(), objects: systemObjects(engine) })

  const showWanting = (): void => {
    if (wanting.size === 0) return
    shownMs = clock.monotonicMs()
    const current = frames(engine.status())
    for (const player of wanting) player.outbox.sendFrame(current.frame(player), nobody)
    wanting.clear()
  }

  const showSoon = (): void => {
    if (isWaiting || wanting.size === 0) return
    const waitMs = Math.max(0, shownMs + EXTRA_FRAMES_MS - clock.monotonicMs())
    if (waitMs === 0 && nowIfSettled(engine, showWanting, onError)) return
    // A tick that runs brings everybody's frame by itself, unless it breaks.
    isWaiting = true
    clock.after(waitMs || EXTRA_FRAMES_MS, () => {
      isWaiting = false
      showSoon()
    })
  }

  return {
    publish: () => {
      const status = engine.status()
      if (status.paused) {
        for (const player of everybody()) wanting.add(player)
        return showSoon()
      }
      fanOut.begin()
      const nowMs = clock.monotonicMs()
      shownMs = nowMs
      let current: TickFrames | undefined
      for (const player of everybody()) {
        const isDue = player.pace.isDue(nowMs, status.tickRate)
        if (!wanting.delete(player) && !isDue) continue
        current ??= frames(status)
        player.outbox.sendFrame(current.frame(player), fanOut.underWay())
      }
      wanting.clear()
      fanOut.end()
    },
    want: (player) => {
      wanting.add(player)
      showSoon()
    },
    fanOutMs: () => fanOut.lastMs(),
  }
}

/** Runs a read of the world at once if no tick runs; false when one does. */
function nowIfSettled(engine: Engine, act: () => void, onError: (error: unknown) => void): boolean {
  let isNow = true
  let isDone = false
  engine
    .whenSettled(() => {
      if (!isNow) return
      isDone = true
      act()
    })
    .catch(onError)
  isNow = false
  return isDone
}

function nobody(): void {
  // Nobody times a frame that no tick brought.
}
