/** All bots of a soak, half of them with binary frames; a tenth flies its own ships. */
import type { AdminClient, GameClient } from '@orrery/client'
import { createSerialQueue } from '@orrery/game'
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { play } from './bot.ts'
import type { Pace } from './frame-gaps.ts'
import type { Tally } from './tally.ts'
import type { Visit } from './visit.ts'

export interface FleetOptions {
  readonly url: string
  readonly game: GameClient
  readonly admin: AdminClient
  readonly pace: Pace
  readonly bots: number
  readonly visitMs: number
  readonly random: Chance
  readonly tally: Tally
}

/**
 * Every tenth bot flies its own ship. All bots share one thread, which also times their frames, and
 * a flight takes a few percent of it.
 */
const FLOWN = 10

/** For all sockets to have frames again [ms]. */
const BACK_MS_MAX = 90_000
const LOOK_MS = 50

export interface Fleet {
  /** visits that are under way */
  readonly size: number
  /** waits until each visit has had a frame since a time; false when that takes too long */
  hasFrames(this: void, sinceMs: number): Promise<boolean>
  /** resolves when all have left */
  end(this: void): Promise<void>
}

/** Starts the bots. */
export function startFleet({ bots, random, ...options }: FleetOptions): Fleet {
  const over = new AbortController()
  const visits = new Set<Visit>()
  // Passwords are hashed one after the other, and few of an address may wait.
  const registering = createSerialQueue()
  const common = { ...options, registering, visits, over: over.signal }
  const players = Array.from({ length: bots }, async (_, i) => {
    const wire = i % 2 === 0 ? ('binary' as const) : ('json' as const)
    const isFlown = i % FLOWN === 0
    const own = { ...common, wire, isFlown, name: `bot_${i}`, random: random.branch() }
    await play(own)
  })
  return {
    get size() {
      return visits.size
    },
    hasFrames: async (sinceMs) => {
      const endMs = performance.now() + BACK_MS_MAX
      const isBack = (): boolean =>
        [...visits].every(({ frameMs, isEnding }) => isEnding || frameMs > sinceMs)
      while (!isBack() && performance.now() < endMs) await sleep(LOOK_MS)
      return isBack()
    },
    end: async () => {
      over.abort()
      await Promise.all(players)
    },
  }
}
