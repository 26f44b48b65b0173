/** Ships by the thousand as soft dots, written to the pixels of a canvas of their own. */
import type { MapView } from './map-view.ts'

/** Side of a dot [CSS px]. */
const SIDE = 3

/** Of more ships the dots are finer, and together show where most of them are. */
const COARSE_MAX = 1000
const SIDE_FINE = 1.5
const STRENGTH_FINE = 0.7

/** How much is left of a dot behind the body that the picture is about. */
const BEHIND = 0.35

/** Pixels of the picture that dots have touched. */
interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export class ShipDots {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  #image: ImageData | undefined
  #words = new Uint32Array(0)
  #ratio = 1
  /** ships in the last picture */
  #seen = 0
  /** red, green and blue, as the least bytes of a word */
  #colour = 0
  #last: Box = emptyBox()
  #now: Box = emptyBox()
  /** x and y of each ship of the last picture [CSS px]; NaN outside of it */
  points: Float32Array = new Float32Array(0)

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no canvas')
    this.#canvas = canvas
    this.#context = context
  }

  /** @param ratio  pixels of the canvas per CSS pixel */
  resize(width: number, height: number, ratio: number): void {
    this.#canvas.width = Math.max(1, Math.round(width * ratio))
    this.#canvas.height = Math.max(1, Math.round(height * ratio))
    this.#ratio = ratio
    this.#image = this.#context.createImageData(this.#canvas.width, this.#canvas.height)
    this.#words = new Uint32Array(this.#image.data.buffer)
    this.#last = emptyBox()
  }

  paint([red, green, blue]: readonly [number, number, number]): void {
    this.#colour = red | (green << 8) | (blue << 16)
  }

  /**
   * Draws ships; returns how many are in the picture.
   *
   * @param places  triples from the body that the centre of the view moves with [m]
   * @param radius  of that body [m]
   */
  draw(places: Float64Array, count: number, view: MapView, radius: number): number {
    if (!this.#image) return 0
    if (this.points.length < 2 * count) this.points = new Float32Array(4 * count)
    this.#clear()
    this.#seen = this.#stampAll(places, count, view, radius)
    const [left, top] = [
      Math.min(this.#last.left, this.#now.left),
      Math.min(this.#last.top, this.#now.top),
    ]
    const width = Math.max(this.#last.right, this.#now.right) - left
    const height = Math.max(this.#last.bottom, this.#now.bottom) - top
    if (width > 0) this.#context.putImageData(this.#image, 0, 0, left, top, width, height)
    const box = this.#last
    this.#last = this.#now
    this.#now = box
    return this.#seen
  }

  #clear(): void {
    const { left, top, right, bottom } = this.#last
    const { width } = this.#canvas
    for (let y = top; y < bottom; y++) this.#words.fill(0, y * width + left, y * width + right)
    Object.assign(this.#now, emptyBox())
  }

  #stampAll(places: Float64Array, count: number, view: MapView, radius: number): number {
    const { scale, width, height, center } = view
    const [cx, cy, cz] = center.offset
    const [rx, ry, rz] = view.right
    const [ux, uy, uz] = view.up
    const [nx, ny, nz] = view.near
    const { points } = this
    let seen = 0
    for (let i = 0; i < count; i++) {
      const px = places[3 * i]
      const py = places[3 * i + 1]
      const pz = places[3 * i + 2]
      const dx = px - cx
      const dy = py - cy
      const dz = pz - cz
      const x = width / 2 + (dx * rx + dy * ry + dz * rz) / scale
      const y = height / 2 - (dx * ux + dy * uy + dz * uz) / scale
      const isSeen = x > -SIDE && y > -SIDE && x < width + SIDE && y < height + SIDE
      points[2 * i] = isSeen ? x : NaN
      points[2 * i + 1] = y
      if (!isSeen) continue
      seen++
      const depth = px * nx + py * ny + pz * nz
      const away2 = px * px + py * py + pz * pz - depth * depth
      const isBehind = depth < 0 && away2 < radius * radius
      this.#stamp(x * this.#ratio, y * this.#ratio, isBehind ? BEHIND : 1)
    }
    return seen
  }

  /** Spreads a dot over the pixels it covers in part, so that it moves smoothly. */
  #stamp(x: number, y: number, strength: number): void {
    const isFine = this.#seen > COARSE_MAX
    const side = (isFine ? SIDE_FINE : SIDE) * this.#ratio
    const full = isFine ? strength * STRENGTH_FINE : strength
    const [startX, startY] = [x - side / 2, y - side / 2]
    const { width, height } = this.#canvas
    const left = Math.max(Math.floor(startX), 0)
    const top = Math.max(Math.floor(startY), 0)
    const right = Math.min(Math.ceil(startX + side), width)
    const bottom = Math.min(Math.ceil(startY + side), height)
    if (left >= right || top >= bottom) return
    for (let row = top; row < bottom; row++) {
      const share = full * (Math.min(row + 1, startY + side) - Math.max(row, startY))
      for (let column = left; column < right; column++) {
        const part = share * (Math.min(column + 1, startX + side) - Math.max(column, startX))
        const at = row * width + column
        const alpha = Math.min(255, (this.#words[at] >>> 24) + Math.round(part * 255))
        this.#words[at] = this.#colour | (alpha << 24)
      }
    }
    const box = this.#now
    if (left < box.left) box.left = left
    if (top < box.top) box.top = top
    if (right > box.right) box.right = right
    if (bottom > box.bottom) box.bottom = bottom
  }
}

function emptyBox(): Box {
  return { left: 1e9, top: 1e9, right: 0, bottom: 0 }
}
