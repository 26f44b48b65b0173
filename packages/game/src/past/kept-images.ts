import type { UniverseImage } from '@orrery/engine'

/** Images that are kept at most, and their bytes together. */
const IMAGES_MAX = 32
const BYTES_MAX = 64 * 1024 * 1024

/** A world as it was flown, in memory. */
export interface KeptImage {
  /** lattice index */
  readonly lattice: number
  /** of the last command that is in it */
  readonly sequence: number
  readonly image: UniverseImage
}

/** Worlds on the way of a flight, evenly apart: the way back is short to each moment between. */
export class KeptImages {
  #apart: number
  #images: KeptImage[] = []

  /** @param apart  distance of the first ones [quanta]; it doubles when there are too many */
  constructor(apart: number) {
    this.#apart = apart
  }

  /** Whether an image is to be made here. */
  isDue(lattice: number): boolean {
    return lattice % this.#apart === 0 && !this.#images.some((one) => one.lattice === lattice)
  }

  add(image: KeptImage): void {
    this.#images.push(image)
    while (this.#isFull()) {
      this.#apart *= 2
      this.#images = this.#images.filter(({ lattice }) => lattice % this.#apart === 0)
    }
  }

  /** The latest at or before an index. */
  before(index: number): KeptImage | undefined {
    const earlier = this.#images.filter(({ lattice }) => lattice <= index)
    return earlier.toSorted((a, b) => a.lattice - b.lattice).at(-1)
  }

  #isFull(): boolean {
    const bytes = this.#images.reduce((sum, { image }) => sum + image.bytes.length, 0)
    return this.#images.length > IMAGES_MAX || (bytes > BYTES_MAX && this.#images.length > 1)
  }
}
