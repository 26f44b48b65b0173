/** Slots of ships, each once, in the order in which they came; emptied by whoever takes them. */
export class SlotSet {
  readonly #has: Uint8Array
  #slots: number[] = []

  constructor(slots: number) {
    this.#has = new Uint8Array(slots)
  }

  add(slot: number): void {
    if (this.#has[slot] === 1) return
    this.#has[slot] = 1
    this.#slots.push(slot)
  }

  take(): readonly number[] {
    const taken = this.#slots
    this.#slots = []
    for (const slot of taken) this.#has[slot] = 0
    return taken
  }
}
