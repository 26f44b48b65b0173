import type { Views } from './byte-planes.ts'
import { type PackedImage, imagesBytes } from './image-bytes.ts'

/** What may be done beside the ticks. */
export type ImageTask =
  | {
      readonly kind: 'touch'
      readonly views: Views
      /** values of each view that will be written */
      readonly lengths: Readonly<Record<string, number>>
    }
  | { readonly kind: 'pack'; readonly images: readonly PackedImage[] }

const PAGE_BYTES = 4096

/** The bytes of images; nothing where memory is touched. */
export function runImageTask(task: ImageTask): Uint8Array<ArrayBuffer> | undefined {
  if (task.kind === 'pack') return imagesBytes(task.images)
  touch(task.views, task.lengths)
  return undefined
}

/** Bytes that a task writes. */
export function bytesOf(task: ImageTask): number {
  if (task.kind === 'pack') return task.images.reduce((sum, { length }) => sum + length, 0)
  return Object.entries(task.lengths).reduce(
    (sum, [name, length]) => sum + length * task.views[name].BYTES_PER_ELEMENT,
    0,
  )
}

/** Writes to every page, so that a later write does not wait for the system to provide it. */
function touch(views: Views, lengths: Readonly<Record<string, number>>): void {
  for (const [name, view] of Object.entries(views)) {
    const step = PAGE_BYTES / view.BYTES_PER_ELEMENT
    for (let i = 0; i < lengths[name]; i += step) view[i] = 0
  }
}
