// What a page has drawn, as numbers.
import type { Page } from 'playwright-core'

export interface Picture {
  readonly width: number
  readonly height: number
  /** of each pixel, the largest of red, green and blue */
  readonly brightness: readonly number[]
}

/** The third frame from now: the surface of a body is drawn in the one after the first. */
export function pictureOf(page: Page): Promise<Picture> {
  return page.evaluate(async () => {
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
    const canvas = document.querySelector('canvas')
    if (!canvas) throw new Error('No picture')
    const { width, height } = canvas
    const pen = new OffscreenCanvas(width, height).getContext('2d')
    pen?.drawImage(canvas, 0, 0)
    const { data = [] } = pen?.getImageData(0, 0, width, height) ?? {}
    const brightness = Array.from({ length: width * height }, (_, i) =>
      Math.max(data[4 * i], data[4 * i + 1], data[4 * i + 2]),
    )
    return { width, height, brightness }
  })
}
