/** Solids of boxes, beams and turned parts, as one geometry. */
import { BufferAttribute, InstancedBufferGeometry } from 'three'

export type Triple = readonly [number, number, number]

/**
 * Colour from 0 to 1, then its gloss from 0 to 1. A gloss of `LIGHT` makes a part give light of its
 * own.
 */
export type Paint = readonly [number, number, number, number]

export const LIGHT = 2

/** A part that is turned about a line. */
export interface Turned {
  readonly from: Triple
  /** unit vector of the line */
  readonly along: Triple
  /** places along the line and distances from it [m]; the outside is on the left of the way */
  readonly profile: readonly (readonly [number, number])[]
  readonly sides: number
}

export type PaintAt = (side: number, segment: number) => Paint

const CORNERS: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]

export class Solid {
  readonly #positions: number[] = []
  readonly #normals: number[] = []
  readonly #paints: number[] = []
  readonly #indices: number[] = []

  get triangles(): number {
    return this.#indices.length / 3
  }

  /** A box along the axes. */
  box(centre: Triple, half: Triple, paint: Paint): this {
    return this.#block(
      centre,
      [half[0], 0, 0],
      [
        [0, half[1], 0],
        [0, 0, half[2]],
      ],
      paint,
    )
  }

  /** A square beam between two points. */
  beam(from: Triple, to: Triple, half: number, paint: Paint): this {
    const centre = sum(scaled(from, 0.5), scaled(to, 0.5))
    const along = scaled(sum(to, scaled(from, -1)), 0.5)
    const [u, w] = across(unit(along))
    return this.#block(centre, along, [scaled(u, half), scaled(w, half)], paint)
  }

  turned({ from, along, profile, sides }: Turned, paint: Paint | PaintAt): this {
    const [u, w] = across(along)
    const paintAt: PaintAt = typeof paint === 'function' ? paint : () => paint
    const outward = (side: number): Triple => {
      const angle = (2 * Math.PI * side) / sides
      return sum(scaled(u, Math.cos(angle)), scaled(w, Math.sin(angle)))
    }
    for (let segment = 1; segment < profile.length; segment++) {
      const [[h0, r0], [h1, r1]] = [profile[segment - 1], profile[segment]]
      const slope = unit([h1 - h0, r1 - r0, 0])
      for (let side = 0; side < sides; side++) {
        const [a, b] = [outward(side), outward(side + 1)]
        const point = (out: Triple, h: number, r: number): Triple =>
          sum(from, sum(scaled(along, h), scaled(out, r)))
        const normal = (out: Triple): Triple => sum(scaled(out, slope[0]), scaled(along, -slope[1]))
        this.#quad(
          [point(a, h0, r0), point(b, h0, r0), point(b, h1, r1), point(a, h1, r1)],
          [normal(a), normal(b), normal(b), normal(a)],
          paintAt(side, segment - 1),
        )
      }
    }
    return this
  }

  #block(centre: Triple, x: Triple, [y, z]: readonly [Triple, Triple], paint: Paint): this {
    for (const [a, b, c] of [
      [x, y, z],
      [y, z, x],
      [z, x, y],
    ]) {
      for (const sign of [-1, 1]) {
        const face = scaled(a, sign)
        const corners = CORNERS.map(([s, t]) =>
          sum(centre, sum(face, sum(scaled(b, s * sign), scaled(c, t)))),
        )
        const normal = unit(face)
        this.#quad(corners, [normal, normal, normal, normal], paint)
      }
    }
    return this
  }

  #quad(corners: readonly Triple[], normals: readonly Triple[], paint: Paint): void {
    const first = this.#positions.length / 3
    for (const [i, corner] of corners.entries()) {
      this.#positions.push(...corner)
      this.#normals.push(...normals[i])
      this.#paints.push(...paint)
    }
    this.#indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
  }

  geometry(): InstancedBufferGeometry {
    return new InstancedBufferGeometry()
      .setAttribute('position', new BufferAttribute(Float32Array.from(this.#positions), 3))
      .setAttribute('normal', new BufferAttribute(Float32Array.from(this.#normals), 3))
      .setAttribute('paint', new BufferAttribute(Float32Array.from(this.#paints), 4))
      .setIndex(this.#indices)
  }
}

function sum(a: Triple, b: Triple): Triple {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

function scaled(a: Triple, factor: number): Triple {
  return [a[0] * factor, a[1] * factor, a[2] * factor]
}

function unit(a: Triple): Triple {
  return scaled(a, 1 / (Math.hypot(...a) || 1))
}

/** Two unit vectors that make a right-handed triad with a third. */
function across(along: Triple): readonly [Triple, Triple] {
  const least = Math.abs(along[2]) < 0.9 ? ([0, 0, 1] as const) : ([1, 0, 0] as const)
  const u = unit(crossed(least, along))
  return [u, crossed(along, u)]
}

function crossed(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
