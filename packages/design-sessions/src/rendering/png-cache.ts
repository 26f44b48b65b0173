/** A cache of recently requested PNG pictures. */
export interface PngCache {
  /**
   * Concurrent requests for the same picture wait for one rendering.
   *
   * @param key  identifies the present state of the picture
   */
  png(key: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array>
}

/** @param bytesMax  of all entries; beyond it the least recently used are evicted */
export function createPngCache(bytesMax: number): PngCache {
  const kept = new Map<string, Uint8Array>()
  const drawing = new Map<string, Promise<Uint8Array>>()
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
  const drawn = async (key: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    try {
      const bytes = await draw()
      keep(key, bytes)
      return bytes
    } finally {
      drawing.delete(key)
    }
  }
  return {
    async png(key, draw) {
      const known = kept.get(key)
      if (known) {
        // Moves it to the end of the map's order.
        kept.delete(key)
        kept.set(key, known)
        return known
      }
      const awaited = drawing.get(key) ?? drawn(key, draw)
      drawing.set(key, awaited)
      return awaited
    },
  }
}
