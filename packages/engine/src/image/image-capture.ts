import type { GameClock } from '../time/game-clock.ts'
import { type WorldImage, imageMoment, readyForImage, worldImage } from './image.ts'
import type { Pool } from '../pool/pool.ts'
import type { World } from '../world/world.ts'
import type { WorldGate } from '../world/world-gate.ts'

/** Longer than the ships of a large world take to be copied. */
const COPY_MS = 20

/** The world of an image, and its game time. */
export interface ImageSubject {
  readonly world: World
  readonly pool: Pool
  readonly clock: GameClock
  readonly tick: number
}

/**
 * The image of the published world, taken while no tick runs. The world pauses only while its
 * ships are copied, in a lull so that no tick waits for that; where its pool cannot do that, until
 * the image is whole.
 *
 * @param gate     of the world
 * @param lull     resolves when no tick is due for so many milliseconds
 * @param subject  at the moment it is asked for
 */
export function captureImage(
  gate: WorldGate,
  lull: (ms: number) => Promise<void>,
  subject: () => ImageSubject,
): Promise<WorldImage> {
  const { archive } = subject().pool
  if (!archive) {
    return gate.pass(() => {
      const { world, clock, tick } = subject()
      return worldImage(world, clock, tick)
    })
  }
  return archive.enqueue(async () => {
    await archive.prepare()
    await lull(COPY_MS)
    const taken = await gate.pass(() => {
      const { world, pool, clock, tick } = subject()
      // Another world may have come, or this one's pool been closed.
      if (pool.archive !== archive) return undefined
      readyForImage(world)
      gate.close('copy')
      const copied = archive.copy().finally(() => gate.open('copy'))
      return { copied, moment: imageMoment(world, clock, tick) }
    })
    if (!taken) return captureImage(gate, lull, subject)
    await taken.copied
    return archive.write(taken.moment)
  })
}
