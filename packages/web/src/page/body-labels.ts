/** Names of stars, planets and moons. */
import type { BodyLayer } from '../scene/body-layer.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import type { LabelItem, LabelSource } from './label-source.ts'
import type { Stage } from './stage.ts'

/** A body nearer to its parent on the screen has no name of its own [px]. */
const APART_MIN = 14

/** A body that takes more of the picture has no name: it is looked at. */
const PICTURE_SHARE = 0.35

const RANKS = { star: 40, planet: 30, minor_planet: 20, moon: 10 } as const

interface BodyItem extends LabelItem {
  pixels: number
  readonly radius: number
}

export class BodyLabels implements LabelSource {
  readonly #stage: Stage
  readonly #bodies: readonly SceneBody[]
  readonly #layer: BodyLayer
  readonly #all: readonly BodyItem[]
  readonly #shown: BodyItem[] = []
  readonly #points: { x: number; y: number }[]
  readonly #isAhead: boolean[] = []

  constructor(stage: Stage, layer: BodyLayer, bodies: readonly SceneBody[]) {
    this.#stage = stage
    this.#layer = layer
    this.#bodies = bodies
    this.#points = bodies.map(() => ({ x: 0, y: 0 }))
    this.#all = bodies.map(({ name, kind, radius }, i) => {
      const thing = { kind: 'body', name } as const
      const priority = RANKS[kind] + Math.log10(radius)
      const position = layer.centres[i]
      return { key: `body ${name}`, text: name, kind, position, pixels: 0, radius, priority, thing }
    })
  }

  items(): readonly LabelItem[] {
    const { width, height } = this.#stage.lens
    const largest = Math.min(width, height) * PICTURE_SHARE
    this.#shown.length = 0
    for (const [i, item] of this.#all.entries()) {
      item.pixels = this.#layer.pixelRadii[i]
      this.#isAhead[i] = this.#stage.project(this.#points[i], item.position)
      const isNamed = item.pixels <= largest && !this.#isMerged(i)
      if (isNamed) this.#shown.push(item)
    }
    return this.#shown
  }

  things(): Iterable<LabelItem> {
    return this.#all
  }

  covers(): Iterable<BodyItem> {
    return this.#all
  }

  /** Whether it is seen at the place of its parent, which comes before it. */
  #isMerged(i: number): boolean {
    const { parent } = this.#bodies[i]
    if (parent < 0 || !this.#isAhead[parent]) return false
    const { x, y } = this.#points[i]
    const other = this.#points[parent]
    return Math.hypot(other.x - x, other.y - y) < APART_MIN
  }
}
