import type { GameClock } from '../time/game-clock.ts'
import { hasBroken, imageMoment, readyForImage } from './image.ts'
import { type UniverseImage, universeImage } from './universe-image.ts'
import type { Pool } from '../pool/pool.ts'
import type { Universe } from '../world/universe.ts'
import type { WorldGate } from '../world/world-gate.ts'

/** Longer than the ships of a large world take to be copied. */
const COPY_MS = 20

/** The universe of an image, and its game time. */
export interface ImageSubject {
  readonly universe: Universe
  readonly pool: Pool
  readonly clock: GameClock
  readonly tick: number
}

/**
 * The image of the published universe, taken while no tick runs. The worlds pause only while its
 * ships are copied, in a lull so that no tick waits for that; where its pool cannot do that, until
 * the image is whole.
 *
 * @param gate     of the universe
 * @param lull     resolves when no tick is due for so many milliseconds
 * @param subject  at the moment it is asked for
 */
export function captureImage(
  gate: WorldGate,
  lull: (ms: number) => Promise<void>,
  subject: () => ImageSubject,
): Promise<UniverseImage> {
  const { pool, universe: present } = subject()
  const { archive } = pool
  // The archive copies no open steps.
  if (!archive || present.worlds.some(hasBroken)) {
    return gate.pass(() => {
      const { universe, clock, tick } = subject()
      return universeImage(universe, clock, tick)
    })
  }
  return archive.enqueue(async () => {
    await archive.prepare()
    await lull(COPY_MS)
    const taken = await gate.pass(() => {
      const { universe, pool, clock, tick } = subject()
      // Another universe may have come, this one's pool been closed, or a tick broken.
      if (pool.archive !== archive || universe.worlds.some(hasBroken)) return undefined
      for (const world of universe.worlds) readyForImage(world)
      gate.close('copy')
      const copied = archive.copy().finally(() => gate.open('copy'))
      const moments = universe.worlds.map((world) => imageMoment(world, clock, tick))
      return { copied, moments }
    })
    if (!taken) return captureImage(gate, lull, subject)
    await taken.copied
    return archive.write(taken.moments)
  })
}
