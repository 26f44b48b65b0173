import type { WallClock } from '@orrery/engine'
import type { BinaryPublisher } from '../binary/binary-publisher.ts'
import { createFanOut } from '../frames/fan-out.ts'
import { type Frame, type TickFrames, systemObjects, tickFrames } from '../frames/frames.ts'
import type { PlayerSocket } from '../connection/player-socket.ts'
import { nowIfSettled } from '../frames/settled.ts'
import { ageOf } from '../views/wire-views.ts'
import type { ServedEngine } from '../views/served-engine.ts'

/** Least time between two rounds of frames that are sent beside the ticks. */
const EXTRA_FRAMES_MS = 100

/** Sends clients frames of the world, with each tick and at request. */
export interface FramePublisher {
  /** after the world was published: by a tick, or while paused by a structural command */
  publish(): void
  /** sends a client a frame before the next tick */
  request(player: PlayerSocket): void
  /** wall time from the end of the last tick that is over to its last frame written [ms] */
  fanOutMs(): number
}

export interface FramePublisherOptions {
  readonly engine: ServedEngine
  readonly clock: WallClock
  readonly era: () => number
  readonly clients: () => Iterable<PlayerSocket>
  readonly binary: BinaryPublisher
  readonly onFanOut: (ms: number) => void
  readonly onError: (error: unknown) => void
}

export function createFramePublisher(options: FramePublisherOptions): FramePublisher {
  const { binary, engine, clock, clients, onFanOut, onError } = options
  const requested = new Set<PlayerSocket>()
  const fanOut = createFanOut(() => clock.monotonicMs(), onFanOut)
  let isWaiting = false
  let sentMs = -Infinity

  const sendRequested = (): void => {
    const nowMs = clock.monotonicMs()
    sentMs = nowMs
    let current: TickFrames | undefined
    for (const player of requested) {
      if (player.budget.left(nowMs) <= 0) continue
      requested.delete(player)
      current ??= currentFrames(options, true)
      sendFrame(player, current.frame(player), untimed)
    }
  }

  const sendSoon = (): void => {
    if (isWaiting || requested.size === 0) return
    const waitMs = Math.max(0, sentMs + EXTRA_FRAMES_MS - clock.monotonicMs())
    const isSent = waitMs === 0 && nowIfSettled(engine, sendRequested, onError)
    if (isSent && requested.size === 0) return
    // A running tick sends all frames itself, unless it breaks; a spent budget fills.
    isWaiting = true
    clock.after(waitMs || EXTRA_FRAMES_MS, () => {
      isWaiting = false
      sendSoon()
    })
  }

  return {
    publish: () => {
      const status = engine.status()
      if (status.paused) {
        for (const player of clients()) if (!player.isBinary) requested.add(player)
        binary.publish(() => untimed)
        return sendSoon()
      }
      fanOut.begin()
      const nowMs = clock.monotonicMs()
      sentMs = nowMs
      let current: TickFrames | undefined
      for (const player of clients()) {
        if (player.isBinary) continue
        const isDue = player.pace.isDue(nowMs, status.tickRate)
        if (player.budget.left(nowMs) <= 0) continue
        if (!requested.delete(player) && !isDue) continue
        current ??= currentFrames(options, false)
        sendFrame(player, current.frame(player), fanOut.underWay())
      }
      binary.publish(() => fanOut.underWay())
      fanOut.end()
    },
    request: (player) => {
      if (player.isBinary) return binary.request(player)
      requested.add(player)
      sendSoon()
    },
    fanOutMs: () => fanOut.lastMs(),
  }
}

/** @param isBeside  they are sent beside a tick, and so of an age */
function currentFrames({ engine, era }: FramePublisherOptions, isBeside: boolean): TickFrames {
  const status = engine.status()
  return tickFrames({
    status,
    era: era(),
    sky: engine.sky(),
    objects: systemObjects(engine),
    ...(isBeside && { age: ageOf(status) }),
  })
}

function sendFrame({ budget, outbox }: PlayerSocket, frame: Frame, onWritten: () => void): void {
  budget.spend(frame.byteLength)
  outbox.sendFrame(frame, onWritten)
}

function untimed(): void {
  // Only frames of ticks are timed.
}
