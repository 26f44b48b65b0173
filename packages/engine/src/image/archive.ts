import { CHUNK_SLOTS, START_COLUMNS, type WorldState } from '@orrery/sim'
import { setImmediate } from 'node:timers/promises'
import type { StructuredSerializeOptions } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { type ImageTask, bytesOf, runImageTask } from './image-task.ts'
import type { PackedImage } from './image-bytes.ts'
import type { ImageHeader } from './image-header.ts'
import { keptText } from './image-text.ts'
import { type ImageMoment, unwrittenImage } from './image.ts'
import type { UniverseImage } from './universe-image.ts'
import { copyMemory, copyViews, usedChunks } from './ship-copy.ts'

/** So much, of some hundred ships, takes a millisecond; a thread of its own would keep 17 MB. */
const SMALL_BYTES = 131_072

/** Makes images of a universe while it runs: copies ships, does the rest in the background. */
export interface Archive {
  /** One at a time: there is memory for one copy. */
  enqueue<Result>(work: () => Promise<Result>): Promise<Result>
  /** Prepares memory and thread, so that a copy waits for neither. */
  prepare(): Promise<void>
  /** Copies the ships, which must not move until it resolves. */
  copy(): Promise<void>
  /** Writes the image of a moment of each world with the ships that were copied then. */
  write(moments: readonly ImageMoment[]): Promise<UniverseImage>
  /** Waits for running work and ends the thread. */
  close(): Promise<void>
}

/**
 * @param copyShips  copies the ships of the used chunks, each column to its place
 * @param onError    called when the thread fails without a task
 */
export function createArchive(
  states: readonly WorldState[],
  copyShips: (memories: readonly SharedArrayBuffer[]) => Promise<void>,
  onError: (error: unknown) => void,
): Archive {
  let last: Promise<unknown> = Promise.resolve()
  let thread: Piscina<ImageTask, unknown> | undefined
  const memories = states.map(copyMemory)
  const ships = states.map((state, i) => copyViews(memories[i], state))

  async function run(task: ImageTask, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (bytesOf(task) <= SMALL_BYTES) return runImageTask(task)
    if (!thread) {
      const filename = new URL('image-thread.ts', import.meta.url).href
      thread = new Piscina({ filename, minThreads: 1, maxThreads: 1 })
      thread.on('error', onError)
    }
    // Piscina takes an array; its type describes the other form that Node takes.
    return thread.run(task, { transferList: transfer as StructuredSerializeOptions })
  }

  return {
    enqueue(work) {
      const turn = last.then(work)
      last = turn.catch(() => undefined)
      return turn
    },
    async prepare() {
      for (const [i, state] of states.entries()) {
        const rows = usedChunks(state) * CHUNK_SLOTS
        const lengths = START_COLUMNS.map(({ name, components }) => [name, rows * components])
        await run({ kind: 'touch', views: ships[i], lengths: Object.fromEntries(lengths) })
      }
    },
    copy: () => copyShips(memories),
    async write(moments) {
      const worlds: ImageHeader[] = []
      const images: PackedImage[] = []
      const owned: ArrayBuffer[] = []
      for (const [i, moment] of moments.entries()) {
        const writing = keptText(moment.kept)
        let slice = writing.next()
        while (!slice.done) {
          await setImmediate()
          slice = writing.next()
        }
        const { header, ...image } = unwrittenImage(moment, ships[i], slice.value)
        worlds.push(header)
        images.push(image)
        for (const { buffer } of [...slice.value, ...Object.values(moment.sightings)]) {
          owned.push(buffer as ArrayBuffer)
        }
      }
      const bytes = await run({ kind: 'pack', images }, owned)
      return { header: { worlds }, bytes: bytes as Uint8Array }
    },
    async close() {
      await last
      await thread?.close()
    },
  }
}
