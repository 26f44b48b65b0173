const TICK = /^\{"type":"tick","era":\d+,"tick":(\d+)/

/** How much later than its owner a gateway shows a tick, at a client of each. */
export class FrameAges {
  #shownMs = new Map<number, number>()
  #at = new Map<string, readonly [tick: number, atMs: number]>()

  begin(): void {
    this.#shownMs.clear()
    this.#at.clear()
  }

  /** @param place  of the server; 0 for the owner */
  take(text: string, place: number): void {
    const [, tick] = TICK.exec(text) ?? []
    if (tick === undefined) return
    if (place === 0) this.#shownMs.set(Number(tick), performance.now())
    else this.#at.set(`${place} ${tick}`, [Number(tick), performance.now()])
  }

  /** Of each frame of a gateway [ms]. */
  ms(): number[] {
    return [...this.#at.values()].flatMap(([tick, atMs]) => {
      const shownMs = this.#shownMs.get(tick)
      return shownMs === undefined ? [] : [atMs - shownMs]
    })
  }
}
