import { move } from 'piscina'
import { yieldToTicks } from '../background-thread.ts'
import type { Views } from './byte-planes.ts'
import { type PackedImage, imagesBytes } from './image-bytes.ts'

/** Tasks of the thread beside a pool. */
export type ImageTask =
  | {
      readonly kind: 'touch'
      readonly views: Views
      /** values of each view that will be written */
      readonly lengths: Readonly<Record<string, number>>
    }
  | { readonly kind: 'pack'; readonly images: readonly PackedImage[] }

const PAGE_BYTES = 4096

yieldToTicks()

/** Writes to every page, so that a later write does not wait for the system to provide it. */
function touch(views: Views, lengths: Readonly<Record<string, number>>): void {
  for (const [name, view] of Object.entries(views)) {
    const step = PAGE_BYTES / view.BYTES_PER_ELEMENT
    for (let i = 0; i < lengths[name]; i += step) view[i] = 0
  }
}

export default function imageThread(task: ImageTask): unknown {
  if (task.kind === 'pack') return move(imagesBytes(task.images))
  touch(task.views, task.lengths)
  return undefined
}
