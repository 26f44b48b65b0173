/** All bots of a soak, half of them with binary frames. */
import type { AdminClient, GameClient } from '@orrery/client'
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

/** A password of each has to be hashed, and few may wait [ms]. */
const BETWEEN_STARTS_MS = 100

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

/** Starts the bots, one after the other. */
export function startFleet({ bots, random, ...options }: FleetOptions): Fleet {
  const over = new AbortController()
  const visits = new Set<Visit>()
  const common = { ...options, visits, over: over.signal }
  const players = Array.from({ length: bots }, async (_, i) => {
    const wire = i % 2 === 0 ? ('binary' as const) : ('json' as const)
    const own = { ...common, wire, name: `bot_${i}`, random: random.branch() }
    await sleep(i * BETWEEN_STARTS_MS, undefined, { signal: over.signal }).catch(() => undefined)
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
