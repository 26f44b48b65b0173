import { cancelled } from './render-error.ts'

/** Draws a picture; the signal cancels it. */
export type Draw = (signal: AbortSignal) => Promise<Uint8Array>

/** A cache of recently requested PNG pictures. */
export interface PngCache {
  /**
   * Concurrent requests for the same picture wait for one drawing, which is cancelled when the last
   * of them has left.
   *
   * @param key  identifies the present state of the picture
   * @param signal  ends this request only
   * @throws {RenderError} `ERR_RENDER_CLOSED` at the signal
   */
  png(key: string, draw: Draw, signal?: AbortSignal): Promise<Uint8Array>
}

/** A drawing for all that wait for it. */
interface Drawing {
  readonly bytes: Promise<Uint8Array>
  readonly unwanted: AbortController
  waiting: number
}

/** @param bytesMax  of all entries; beyond it the least recently used are evicted */
export function createPngCache(bytesMax: number): PngCache {
  const kept = new Map<string, Uint8Array>()
  const drawings = new Map<string, Drawing>()
  let bytesKept = 0
  const keep = (key: string, bytes: Uint8Array): void => {
    kept.set(key, bytes)
    bytesKept += bytes.length
    for (const [oldest, { length }] of kept) {
      if (bytesKept <= bytesMax) return
      kept.delete(oldest)
      bytesKept -= length
    }
  }
  const begin = (key: string, draw: Draw): Drawing => {
    const unwanted = new AbortController()
    const drawing: Drawing = { bytes: draw(unwanted.signal), unwanted, waiting: 0 }
    drawings.set(key, drawing)
    const end = (): void => {
      if (drawings.get(key) === drawing) drawings.delete(key)
    }
    drawing.bytes.then((bytes) => keep(key, bytes)).then(end, end)
    unwanted.signal.addEventListener('abort', end)
    return drawing
  }
  return {
    async png(key, draw, signal) {
      const known = kept.get(key)
      if (known) {
        // Moves it to the end of the map's order.
        kept.delete(key)
        kept.set(key, known)
        return known
      }
      if (signal?.aborted) throw cancelled()
      const drawing = drawings.get(key) ?? begin(key, draw)
      drawing.waiting++
      const left = Promise.withResolvers<never>()
      const leave = (): void => left.reject(cancelled())
      signal?.addEventListener('abort', leave)
      try {
        return await Promise.race([drawing.bytes, left.promise])
      } finally {
        signal?.removeEventListener('abort', leave)
        if (--drawing.waiting === 0) drawing.unwanted.abort()
      }
    },
  }
}
