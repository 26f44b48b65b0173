import { imageSize } from 'image-size'
import { sourceError } from '../render-error.ts'

/** A decoded pixel takes four bytes. */
const PIXELS_MAX = 25_000_000

const TYPES: Readonly<Record<string, string>> = {
  png: 'png',
  jpg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
}

/**
 * Reads the size of a picture from its header.
 *
 * @param name  for the error
 * @throws {RenderError} for other files and for too many pixels
 */
export function pictureSize(
  bytes: Uint8Array,
  name: string,
): { readonly type: string; readonly width: number; readonly height: number } {
  const { width, height, type = '' } = measured(bytes)
  if (!Object.hasOwn(TYPES, type) && type !== 'svg') {
    throw sourceError(`${name} is no picture: PNG, JPEG, GIF, WebP and SVG are drawn`)
  }
  if (type !== 'svg' && width * height > PIXELS_MAX) {
    const millions = Math.round((width * height) / 1e6)
    throw sourceError(`${name} has ${millions} million pixels, at most ${PIXELS_MAX / 1e6}`)
  }
  return { type, width, height }
}

function measured(bytes: Uint8Array): ReturnType<typeof imageSize> {
  try {
    return imageSize(bytes)
  } catch {
    return { width: 0, height: 0 }
  }
}

/** A picture inside of an SVG. */
export interface Embedded {
  /** a data URI */
  readonly uri: string
  readonly width: number
  readonly height: number
}

/** A raster picture, which no renderer decodes beyond the limit. */
export function embeddedRaster(bytes: Uint8Array, name: string): Embedded {
  const { type, width, height } = pictureSize(bytes, name)
  const uri = `data:image/${TYPES[type]};base64,${Buffer.from(bytes).toString('base64')}`
  return { uri, width, height }
}
