/**
 * Room that owners share: each may take as much as a part of what is free, so that none finds it
 * full because of others who take much.
 *
 * @source A. K. Choudhury, E. L. Hahne: Dynamic queue length thresholds for shared-memory packet
 *   switches, IEEE/ACM Transactions on Networking 6 (1998)
 */
export class SharedRoom {
  readonly #size: number
  readonly #part: number
  readonly #held = new Map<string, number>()
  #taken = 0

  /** @param part  what one owner may hold, of what is free */
  constructor(size: number, part: number) {
    this.#size = size
    this.#part = part
  }

  /** how many places are taken */
  get taken(): number {
    return this.#taken
  }

  held(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  /** Whether an owner may take one more place. */
  hasRoom(owner: string): boolean {
    return this.held(owner) < this.#part * (this.#size - this.#taken)
  }

  take(owner: string): void {
    this.#taken++
    this.#held.set(owner, this.held(owner) + 1)
  }

  free(owner: string): void {
    this.#taken--
    const left = this.held(owner) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
  }
}
