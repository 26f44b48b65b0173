/** Draws lines of which only a part is in the picture: canvases round large coordinates. */

/** So far beyond the edges lines are drawn [px]. */
const MARGIN = 20

export interface PathTarget {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
}

export class LinePen {
  readonly #target: PathTarget
  readonly #width: number
  readonly #height: number
  #x = NaN
  #y = NaN
  /** where the target's path ends */
  #endX = NaN
  #endY = NaN

  /** Sizes of the picture [px]. */
  constructor(target: PathTarget, width: number, height: number) {
    this.#target = target
    this.#width = width
    this.#height = height
  }

  /** Begins another line. */
  moveTo(x: number, y: number): void {
    this.#x = x
    this.#y = y
  }

  /** @source Liang and Barsky, A new concept and method for line clipping, 1984 */
  lineTo(x: number, y: number): void {
    const [x0, y0] = [this.#x, this.#y]
    const [dx, dy] = [x - x0, y - y0]
    this.moveTo(x, y)
    let from = 0
    let to = 1
    for (let edge = 0; edge < 4; edge++) {
      const isAcross = edge < 2
      const sign = edge % 2 === 0 ? -1 : 1
      const limit = sign < 0 ? MARGIN : (isAcross ? this.#width : this.#height) + MARGIN
      const room = limit - sign * (isAcross ? x0 : y0)
      const speed = sign * (isAcross ? dx : dy)
      if (speed === 0 && room < 0) return
      if (speed < 0) from = Math.max(from, room / speed)
      if (speed > 0) to = Math.min(to, room / speed)
    }
    if (!(from <= to)) return
    const [startX, startY] = [x0 + from * dx, y0 + from * dy]
    if (startX !== this.#endX || startY !== this.#endY) this.#target.moveTo(startX, startY)
    this.#endX = to === 1 ? x : x0 + to * dx
    this.#endY = to === 1 ? y : y0 + to * dy
    this.#target.lineTo(this.#endX, this.#endY)
  }
}
