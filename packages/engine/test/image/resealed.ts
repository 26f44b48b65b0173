import type { WorldImage } from '@orrery/engine/testing'
import { SEAL_BYTES, sealOf } from '../../src/image/image-bytes.ts'
import { sealedText } from '../../src/image/image-layout.ts'

/** An image as a program would store it that seals what it writes, however wrong that is. */
export function resealed(header: object, bytes: Uint8Array): WorldImage {
  const body = bytes.slice(0, -SEAL_BYTES)
  const sealed = new Uint8Array(bytes.length)
  sealed.set(body)
  sealed.set(sealOf(sealedText(header), body), body.length)
  return { header: header as WorldImage['header'], bytes: sealed }
}
