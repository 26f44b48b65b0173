/** Spheres of influence of the body that is looked at and of its moons, as circles. */
import { addScaled, cross, dot, length, normalize, vector, type Vector } from '@orrery/page-kit'
import type { Frame, Lens } from '../scene/frame.ts'
import { Ribbon, type RibbonPoint } from '../scene/ribbon.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'

const COLOUR = [0.6, 0.66, 0.78] as const
const STYLE = { colour: COLOUR, burn: COLOUR, width: 1, isDashed: true }

const STRENGTH = 0.45

/** Vertices of a circle, and circles at most. */
const VERTICES = 97
const CIRCLES_MAX = 48

/** A circle is drawn when its radius is between these [px]. */
const PIXELS_MIN = 8
const PIXELS_MAX = 1500

const ORIGIN = vector()
const point: RibbonPoint = { strength: STRENGTH, isBurning: false, along: 0, isLast: false }

export class SphereLayer implements SceneLayer {
  isOn = false
  readonly drawables: readonly [Ribbon]
  readonly version = 0
  readonly #ribbon = new Ribbon(STYLE, VERTICES * CIRCLES_MAX)
  readonly #at = { body: 0, offset: ORIGIN }
  readonly #centre = vector()
  readonly #right = vector()
  readonly #up = vector()

  constructor() {
    this.drawables = [this.#ribbon]
  }

  place(frame: Frame, lens: Lens): void {
    this.#ribbon.clear()
    if (!this.isOn) return
    const { bodies, chain } = frame.surroundings
    let circles = 0
    for (let i = 0; i < bodies.length && circles < CIRCLES_MAX; i++) {
      if (i !== frame.camera.body && bodies[i].parent !== frame.camera.body) continue
      this.#at.body = i
      const centre = chain.difference(this.#centre, frame.camera, this.#at)
      const pixels = (lens.focal * bodies[i].sphere) / length(centre)
      if (!(pixels > PIXELS_MIN && pixels < PIXELS_MAX) || dot(centre, frame.forward) <= 0) continue
      this.#addCircle(bodies[i].sphere, frame.up)
      circles++
    }
    this.#ribbon.finish(lens, 1)
  }

  dispose(): void {
    this.#ribbon.dispose()
  }

  /** Around `#centre`, across the line of sight. */
  #addCircle(radius: number, above: Vector): void {
    const centre = this.#centre
    const right = normalize(this.#right, cross(this.#right, centre, above))
    const up = normalize(this.#up, cross(this.#up, right, centre))
    for (let i = 0; i < VERTICES; i++) {
      const angle = (2 * Math.PI * i) / (VERTICES - 1)
      const vertex = addScaled(this.#vertex, centre, right, radius * Math.cos(angle))
      addScaled(vertex, vertex, up, radius * Math.sin(angle))
      point.along = angle
      point.isLast = i === VERTICES - 1
      this.#ribbon.add(vertex[0], vertex[1], vertex[2], point)
    }
  }

  readonly #vertex = vector()
}
