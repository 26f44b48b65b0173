import type { Trajectories } from '@orrery/engine'
import { rowBytes } from './frame-pieces.ts'

/** Blocks with one row per ship that moves on otherwise than was sent. */
const MOTIONS = ['arcs', 'steps', 'burns'] as const

type Publication = Trajectories['publication']
type Published = Pick<Publication, (typeof MOTIONS)[number] | 'hulls'>

/** In the order in which frames have them. */
export const PUBLISHED: readonly (keyof Published)[] = [...MOTIONS, 'hulls']

const MOTION_BYTES = MOTIONS.map(rowBytes)
const HULL_BYTES = rowBytes('hulls')

/** Where the rows of a publication are, by the slots of their ships. */
export class PublishedRows {
  /** place of a slot's block in {@link MOTIONS}, 1 more; 0 none */
  readonly #motion: Uint8Array
  readonly #row: Int32Array
  /** 1 more than the row of `hulls`; 0 none */
  readonly #hull: Int32Array
  readonly #listed: number[] = []

  constructor(slots: number) {
    this.#motion = new Uint8Array(slots)
    this.#row = new Int32Array(slots)
    this.#hull = new Int32Array(slots)
  }

  /** Takes in a publication; the one before is forgotten. */
  read(publication: Publication, slotOf: (shipNumber: number) => number | undefined): void {
    for (const slot of this.#listed) this.#motion[slot] = this.#hull[slot] = 0
    this.#listed.length = 0
    for (const [place, name] of MOTIONS.entries()) {
      const { count, columns } = publication[name]
      for (let row = 0; row < count; row++) {
        const slot = slotOf(columns.number[row])
        if (slot === undefined) continue
        this.#listed.push(slot)
        this.#motion[slot] = place + 1
        this.#row[slot] = row
      }
    }
    const { count, columns } = publication.hulls
    for (let row = 0; row < count; row++) {
      const slot = slotOf(columns.number[row])
      if (slot === undefined) continue
      this.#listed.push(slot)
      this.#hull[slot] = row + 1
    }
  }

  /** Bytes of a ship's rows. */
  bytes(slot: number): number {
    const motion = this.#motion[slot]
    return (motion > 0 ? MOTION_BYTES[motion - 1] : 0) + (this.#hull[slot] > 0 ? HULL_BYTES : 0)
  }

  /** Rows of ships in each of {@link PUBLISHED}. */
  of(slots: readonly number[]): readonly number[][] {
    const rows: number[][] = PUBLISHED.map(() => [])
    for (const slot of slots) {
      const motion = this.#motion[slot]
      if (motion > 0) rows[motion - 1].push(this.#row[slot])
      const hull = this.#hull[slot]
      if (hull > 0) rows[MOTIONS.length].push(hull - 1)
    }
    return rows
  }
}
