/**
 * A 128-bit digest in four 32-bit lanes (multiply, rotate, cross-mix; the finaliser is that of
 * MurmurHash3, whose constants are public domain). It identifies states; it is not a signature.
 */
export function createDigest(): Uint32Array {
  return Uint32Array.of(0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667)
}

/** Mixes 32-bit words into a digest, in order. */
export function absorb(lanes: Uint32Array, words: Uint32Array): void {
  let a = lanes[0]
  let b = lanes[1]
  let c = lanes[2]
  let d = lanes[3]
  for (let i = 0; i < words.length; i++) {
    const word = Math.imul(words[i], 0xcc9e2d51)
    const mixed = Math.imul(a ^ ((word << 15) | (word >>> 17)), 0x1b873593)
    a = (b + ((mixed << 13) | (mixed >>> 19))) | 0
    b = c ^ Math.imul(mixed, 5)
    c = (d + 0xe6546b64) | 0
    d = mixed ^ (mixed >>> 16)
  }
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
}

/**
 * Mixes 32-bit words into a digest, each fourth into the same lane: four times as fast as `absorb`,
 * since the lanes do not wait for each other. A word that differs always changes its lane.
 *
 * @param count  words from `begin` on, a multiple of four
 * @source the round of XXH32, Collet, xxHash fast digest algorithm, 0.1.1
 */
export function absorbLanes(
  lanes: Uint32Array,
  words: Uint32Array,
  begin: number,
  count: number,
): void {
  let a = lanes[0] | 0
  let b = lanes[1] | 0
  let c = lanes[2] | 0
  let d = lanes[3] | 0
  for (let i = begin; i < begin + count; i += 4) {
    a = (a + Math.imul(words[i], 0x85ebca77)) | 0
    b = (b + Math.imul(words[i + 1], 0x85ebca77)) | 0
    c = (c + Math.imul(words[i + 2], 0x85ebca77)) | 0
    d = (d + Math.imul(words[i + 3], 0x85ebca77)) | 0
    a = Math.imul((a << 13) | (a >>> 19), 0x9e3779b1)
    b = Math.imul((b << 13) | (b >>> 19), 0x9e3779b1)
    c = Math.imul((c << 13) | (c >>> 19), 0x9e3779b1)
    d = Math.imul((d << 13) | (d >>> 19), 0x9e3779b1)
  }
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
}

/** Mixes bytes into a digest; the length is absorbed too, so that padding cannot collide. */
export function absorbBytes(lanes: Uint32Array, bytes: Uint8Array): void {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
  padded.set(bytes)
  absorb(lanes, Uint32Array.of(bytes.length))
  absorb(lanes, new Uint32Array(padded.buffer))
}

/** The digest of a list of texts (ASCII or any UTF-16 text, code unit by code unit). */
export function digest(texts: readonly string[]): Uint32Array {
  const lanes = createDigest()
  for (const text of texts) {
    const words = new Uint32Array(text.length + 1)
    words[0] = text.length
    for (let i = 0; i < text.length; i++) words[i + 1] = text.charCodeAt(i)
    absorb(lanes, words)
  }
  finish(lanes)
  return lanes
}

/** Spreads every lane over all others; call it once, after the last word. */
export function finish(lanes: Uint32Array): void {
  for (let round = 0; round < 2; round++) {
    for (let lane = 0; lane < 4; lane++) {
      let word = (lanes[lane] + lanes[(lane + 3) % 4]) >>> 0
      word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
      word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
      lanes[lane] = word ^ (word >>> 16)
    }
  }
}

/** The digest of several star systems, in the order of their ids. */
export function combinedDigest(
  systems: readonly { readonly systemId: string; readonly digest: string }[],
): string {
  const ordered = systems.toSorted((a, b) => (a.systemId < b.systemId ? -1 : 1))
  return digestText(digest(ordered.flatMap(({ systemId, digest: own }) => [systemId, own])))
}

/** A digest as 32 hexadecimal digits. */
export function digestText(lanes: Uint32Array): string {
  return Array.from(lanes, (lane) => lane.toString(16).padStart(8, '0')).join('')
}
