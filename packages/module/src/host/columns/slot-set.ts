/** Slots of ships, each once, in the order in which they came; emptied by whoever takes them. */
export class SlotSet {
  readonly #has: Uint8Array
  #slots = new Int32Array(64)
  #count = 0

  constructor(slots: number) {
    this.#has = new Uint8Array(slots)
  }

  add(slot: number): void {
    if (this.#has[slot] === 1) return
    this.#has[slot] = 1
    if (this.#count === this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.buffer.transfer(8 * this.#count))
    }
    this.#slots[this.#count++] = slot
  }

  /** @returns what is overwritten when others are added */
  take(): Int32Array {
    const taken = this.#slots.subarray(0, this.#count)
    this.#count = 0
    for (let i = 0; i < taken.length; i++) this.#has[taken[i]] = 0
    return taken
  }
}
