/** The nearest of many things, nearest first, without sorting them all. */
export class Nearest {
  readonly indices: Int32Array
  /** squares of their distances */
  readonly squares: Float64Array
  count = 0

  /** @param capacity  how many are kept */
  constructor(capacity: number) {
    this.indices = new Int32Array(capacity)
    this.squares = new Float64Array(capacity).fill(Infinity)
  }

  clear(): void {
    this.count = 0
    this.squares.fill(Infinity)
  }

  /** Only what is nearer than this square can be among them. */
  get limit(): number {
    return this.squares[this.squares.length - 1]
  }

  offer(index: number, square: number): void {
    const { indices, squares } = this
    if (!(square < this.limit)) return
    if (this.count < indices.length) this.count++
    let at = this.count - 1
    while (at > 0 && squares[at - 1] > square) {
      squares[at] = squares[at - 1]
      indices[at] = indices[at - 1]
      at--
    }
    squares[at] = square
    indices[at] = index
  }
}
