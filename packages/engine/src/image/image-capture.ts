import type { GameClock } from '../time/game-clock.ts'
import { hasBroken, imageMoment, readyForImage } from './image.ts'
import { type UniverseImage, universeImage } from './universe-image.ts'
import type { Archive } from './archive.ts'
import type { Universe } from '../world/universe.ts'
import type { WorldGate } from '../world/world-gate.ts'

/** Longer than the ships of a large world take to be copied. */
const COPY_MS = 20

/** The universe of an image, and its game time. */
export interface ImageSubject {
  readonly universe: Universe
  readonly pool: { readonly archive?: Archive | undefined }
  readonly gameClock: GameClock
  readonly tick: number
}

/**
 * The image of the published universe, taken while no tick runs. The worlds pause only while their
 * ships are copied, in a lull so that no tick waits for that; where the pool cannot do that, or a
 * tick has broken, until the image is whole.
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
  const atOnce = (): UniverseImage => {
    const { universe, gameClock, tick } = subject()
    return universeImage(universe, gameClock, tick)
  }
  const { archive } = subject().pool
  if (!archive) return gate.pass(atOnce)
  return archive.enqueue(async () => {
    await archive.prepare()
    await lull(COPY_MS)
    const taken = await gate.pass(() => {
      const { universe, pool, gameClock, tick } = subject()
      // Another universe may have come, or this one's pool been closed.
      if (pool.archive !== archive) return undefined
      // The archive copies no open steps.
      if (universe.worlds.some(hasBroken)) return { image: atOnce() }
      for (const world of universe.worlds) readyForImage(world)
      gate.close('copy')
      const copied = archive.copy().finally(() => gate.open('copy'))
      const moments = universe.worlds.map((world) => imageMoment(world, gameClock, tick))
      return { copied, moments }
    })
    if (!taken) return captureImage(gate, lull, subject)
    if ('image' in taken) return taken.image
    await taken.copied
    return archive.write(taken.moments)
  })
}
