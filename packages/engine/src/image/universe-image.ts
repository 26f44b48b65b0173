import * as v from 'valibot'
import { EngineError } from '../engine-error.ts'
import type { GameClock } from '../time/game-clock.ts'
import type { Universe, UniverseSetup } from '../world/universe.ts'
import { type Sliced, atOnce, inSlices } from '../time/slices.ts'
import { type SystemSetup, type World, createWorld } from '../world/world.ts'
import { type ImageHeader, imageHeader } from './image-header.ts'
import { imageLength } from './image-layout.ts'
import { type OpenedImage, openImage } from './image-opening.ts'
import { type RestoredWorld, imageClock, openedWorld } from './image-restore.ts'
import { wellFormed } from './image-schema.ts'
import { worldImage } from './image.ts'

/** All star systems at rest: the images of their worlds, one after the other. */
export interface UniverseImage {
  readonly header: { readonly worlds: readonly ImageHeader[] }
  readonly bytes: Uint8Array
}

const universeHeader = v.object({
  worlds: v.pipe(
    v.array(imageHeader),
    v.minLength(1),
    v.check(
      (worlds) => new Set(worlds.map(({ system }) => system.id)).size === worlds.length,
      'Expected each system once',
    ),
  ),
})

/** Makes the image of a universe between ticks; blocks this thread until it is done. */
export function universeImage({ worlds }: Universe, clock: GameClock, tick: number): UniverseImage {
  const images = worlds.map((world) => worldImage(world, clock, tick))
  return {
    header: { worlds: images.map((image) => image.header) },
    bytes: Buffer.concat(images.map(({ bytes }) => bytes)),
  }
}

/** The images of some of the worlds in that of a universe. */
export function selectedImage(
  { header: { worlds }, bytes }: UniverseImage,
  isSelected: (systemId: string) => boolean,
): UniverseImage {
  const selected: ImageHeader[] = []
  const parts: Uint8Array[] = []
  let end = 0
  for (const world of worlds) {
    const begin = end
    end += imageLength(world)
    if (!isSelected(world.system.id)) continue
    selected.push(world)
    parts.push(bytes.subarray(begin, end))
  }
  if (selected.length === worlds.length) return { header: { worlds }, bytes }
  return { header: { worlds: selected }, bytes: Buffer.concat(parts) }
}

/** The parts of an image that a running universe is made of. */
export interface RestoredUniverse extends Omit<RestoredWorld, 'world'> {
  readonly universe: Universe
}

/** What an image does not hold. */
type Room = Omit<UniverseSetup, 'index' | 'seed' | 'classes'> & {
  /** the star system to be restored alone; all by default */
  readonly only?: string | undefined
}

/**
 * Rebuilds a universe from its image. Systems that the catalog has gained since start from their
 * own state.
 *
 * @throws {EngineError} 'ERR_IMAGE' when the images of the worlds do not fit the catalog or each
 *   other, or one of them is damaged
 */
export function restoreUniverse(stored: Stored, room: Room): RestoredUniverse {
  return atOnce(restored(stored, room))
}

/** The same, some milliseconds at a time: this thread goes on with its other work meanwhile. */
export function restoreUniverseInSlices(stored: Stored, room: Room): Promise<RestoredUniverse> {
  return inSlices(restored(stored, room))
}

function* restored(stored: Stored, { systems, only, ...room }: Room): Sliced<RestoredUniverse> {
  const images = partsOf(stored)
  const [{ head: first }] = images
  for (const { head: other } of images) assertSameWorld(first, other)
  const unknown = images.find(({ head: { system } }) => !setupOf(systems, system.id))
  if (unknown) {
    throw new EngineError('ERR_IMAGE', `Image holds an unknown system ${unknown.head.system.id}.`)
  }
  const { index, seed, classes } = first
  const worlds: World[] = []
  for (const system of systems) {
    if (only !== undefined && system.system.id !== only) continue
    const image = images.find(({ head }) => head.system.id === system.system.id)
    const world = image
      ? yield* openedWorld(image.open(), { ...room, system })
      : createWorld({ ...room, system, index, seed, classes })
    worlds.push(world)
    yield
  }
  return {
    universe: { worlds, shipsMax: room.shipsMax },
    gameClock: imageClock(first),
    tick: first.tick,
  }
}

function setupOf(systems: readonly SystemSetup[], id: string): SystemSetup | undefined {
  return systems.find(({ system }) => system.id === id)
}

/** The image of one system, which may not be opened yet. */
interface Part {
  readonly head: ImageHeader
  open(): OpenedImage
}

interface Stored {
  readonly header: unknown
  readonly bytes: Uint8Array
}

function partsOf({ header, bytes }: Stored): Part[] {
  const { worlds } = wellFormed(universeHeader, header, 'header')
  let end = 0
  return worlds.map((head, i) => {
    const begin = end
    end = i === worlds.length - 1 ? bytes.length : begin + imageLength(head)
    const own = bytes.subarray(begin, end)
    return { head, open: () => openImage(head, own) }
  })
}

/** Systems that others own may be at other moments. */
function assertSameWorld(first: ImageHeader, other: ImageHeader): void {
  const [ours, theirs] = [first, other].map(({ seed, classes }) => JSON.stringify([seed, classes]))
  if (ours === theirs) return
  throw new EngineError('ERR_IMAGE', `Image holds systems of two worlds, ${ours} and ${theirs}.`)
}
