/** Pictures in pixels that were asked for lately, so that each is drawn once. */
export interface PngCache {
  /**
   * The pixels of a picture; whoever asks while they are drawn waits for the same.
   *
   * @param key  stands for the picture as it is now
   */
  png(key: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array>
}

/** @param bytesMax  of all that are kept; beyond, those go that were not asked for longest */
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
        // Now the last in the order of the map.
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
