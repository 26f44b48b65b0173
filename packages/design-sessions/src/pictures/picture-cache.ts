import { cancelled } from '../render-error.ts'

/** Draws a picture; the signal cancels it. */
export type Draw = (signal: AbortSignal) => Promise<Uint8Array>

/** A drawing for all that wait for it. */
interface Drawing {
  readonly bytes: Promise<Uint8Array>
  readonly unwanted: AbortController
  waiting: number
}

/** Recently requested pictures. */
export class PictureCache {
  readonly #bytesMax: number
  /** the least recently used first */
  readonly #kept = new Map<string, Uint8Array>()
  readonly #drawings = new Map<string, Drawing>()
  #bytes = 0

  /** @param bytesMax  of all pictures; beyond it the least recently used are dropped */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Concurrent requests for the same picture wait for one drawing, which is cancelled when the last
   * of them has left.
   *
   * @param key  identifies the present state of the picture
   * @param signal  ends this request only
   * @throws {RenderError} `ERR_RENDER_CLOSED` at the signal
   */
  async picture(key: string, draw: Draw, signal?: AbortSignal): Promise<Uint8Array> {
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known
    }
    if (signal?.aborted) throw cancelled()
    const drawing = this.#drawings.get(key) ?? this.#begin(key, draw)
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
  }

  #begin(key: string, draw: Draw): Drawing {
    const unwanted = new AbortController()
    const drawing: Drawing = { bytes: draw(unwanted.signal), unwanted, waiting: 0 }
    this.#drawings.set(key, drawing)
    const end = (): void => {
      if (this.#drawings.get(key) === drawing) this.#drawings.delete(key)
    }
    drawing.bytes.then((bytes) => this.#keep(key, bytes)).then(end, end)
    unwanted.signal.addEventListener('abort', end)
    return drawing
  }

  #keep(key: string, bytes: Uint8Array): void {
    this.#kept.set(key, bytes)
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) return
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }
}
