import { onOwnerNews } from '../hosting/owner-news.ts'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'
import { FollowerError } from './follower-error.ts'
import type { FollowerPosition } from './follower-position.ts'
import { type FollowerOptions, createFollower } from './follower.ts'

/** Time until a world that could not be followed is followed again, and one of another physics. */
const AGAIN_MS = 1000
const PHYSICS_AGAIN_MS = 100

export interface MirroredWorldOptions
  extends Required<Pick<FollowerOptions, 'mirror'>>, Omit<FollowerOptions, 'mirror' | 'onDigest'> {
  /** the world is of another physics, which this release does not show */
  readonly onOtherPhysics: () => void
}

/** A world of another process that a mirror shows. */
export interface MirroredWorld {
  /** undefined while none is open */
  position(): FollowerPosition | undefined
  /** why the world is not followed now; undefined while it is */
  failure(): string | undefined
  /** Follows until the signal ends it, and begins again where that is not possible. */
  follow(signal: AbortSignal): Promise<void>
}

export function createMirroredWorld(options: MirroredWorldOptions): MirroredWorld {
  const { clock, logger } = options
  let follower: ReturnType<typeof createFollower> | undefined
  let failure: string | undefined

  const followOnce = async (signal: AbortSignal): Promise<void> => {
    const ending = new AbortController()
    let mismatch: FollowerError | undefined
    follower = createFollower({
      ...options,
      onOpened: (place) => {
        failure = undefined
        options.onOpened(place)
        logger.info(place, 'following the world')
      },
      onDigest: ({ systemId, index, digest, kept }) => {
        if (digest === kept) return
        const message = `${systemId} has digest ${digest} at index ${index}, its owner ${kept}.`
        mismatch = new FollowerError('ERR_FOLLOWER_DIGEST', message)
        ending.abort()
      },
    })
    try {
      await follower.follow(AbortSignal.any([signal, ending.signal]))
      if (mismatch) throw mismatch
    } finally {
      await follower.close()
      follower = undefined
    }
  }

  return {
    position: () => follower?.position(),
    failure: () => failure,
    follow: async (signal) => {
      const sleep = createInterruptibleSleep(clock)
      signal.addEventListener('abort', () => sleep.interrupt())
      let hasNews = false
      const news = onOwnerNews(options.bus, () => {
        hasNews = true
        sleep.interrupt()
      })
      while (!signal.aborted) {
        hasNews = false
        try {
          await followOnce(signal)
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          if (reason !== failure) logger.error({ err: error }, 'the world cannot be followed')
          failure = reason
          const isOther = Object(error).code === 'ERR_FOLLOWER_PHYSICS'
          if (isOther) options.onOtherPhysics()
          if (signal.aborted || hasNews) continue
          await sleep.start(isOther ? PHYSICS_AGAIN_MS : AGAIN_MS)
        }
      }
      news?.end()
    },
  }
}
