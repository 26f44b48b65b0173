/** Names of stars, planets and moons. */
import { sayName } from '../languages/say.ts'
import type { BodyLayer } from '../bodies/body-layer.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import type { LabelItem, LabelSource } from '../view/label-source.ts'
import type { Stage } from '../view/stage.ts'

/** A body nearer to its parent on the screen has no name of its own [px]. */
const APART_MIN = 14

/** The name of the home, so near to its star, ends so far left of both [px]. */
const HOME_GAP = 5

/** The home is so near to its star [px] that both names would be in one place; none below that. */
const HOME_APART_MAX = 24
const HOME_APART_MIN = 4

/** In a picture of a planet or moon of so many pixels, dwarf planets that are points are faint. */
const NEAR_PIXELS = 12
const POINT_PIXELS = 0.5

/** A body that takes more of the picture has no name: it is looked at. */
const PICTURE_SHARE = 0.35

const RANKS = { star: 40, planet: 30, minor_planet: 20, moon: 10 } as const

interface BodyItem extends LabelItem {
  pixels: number
  isFaint: boolean
  leftBy: number | undefined
  readonly radius: number
}

export class BodyLabels implements LabelSource {
  readonly #stage: Pick<Stage, 'lens' | 'project'>
  readonly #bodies: readonly SceneBody[]
  readonly #layer: Pick<BodyLayer, 'centres' | 'pixelRadii'>
  readonly #home: number
  readonly #all: readonly BodyItem[]
  readonly #shown: BodyItem[] = []
  readonly #points: { x: number; y: number }[]
  readonly #isAhead: boolean[] = []

  constructor(
    stage: Pick<Stage, 'lens' | 'project'>,
    layer: Pick<BodyLayer, 'centres' | 'pixelRadii'>,
    { bodies, home }: Pick<Surroundings, 'bodies' | 'home'>,
  ) {
    this.#stage = stage
    this.#layer = layer
    this.#home = home
    this.#bodies = bodies
    this.#points = bodies.map(() => ({ x: 0, y: 0 }))
    this.#all = bodies.map(({ name, kind, radius }, i) => {
      const thing = { kind: 'body', name } as const
      const priority = RANKS[kind] + Math.log10(radius)
      const position = layer.centres[i]
      const unknown = { pixels: 0, isFaint: false, leftBy: undefined }
      return {
        key: `body ${name}`,
        text: sayName(name),
        kind,
        position,
        radius,
        priority,
        thing,
        ...unknown,
      }
    })
  }

  items(): readonly LabelItem[] {
    const { width, height } = this.#stage.lens
    const largest = Math.min(width, height) * PICTURE_SHARE
    const { pixelRadii } = this.#layer
    const isNear = this.#bodies.some(
      ({ kind }, i) => kind !== 'star' && pixelRadii[i] > NEAR_PIXELS,
    )
    this.#shown.length = 0
    for (const [i, item] of this.#all.entries()) {
      item.pixels = pixelRadii[i]
      item.isFaint = isNear && item.kind === 'minor_planet' && item.pixels < POINT_PIXELS
      this.#isAhead[i] = this.#stage.project(this.#points[i], item.position)
      const apart = this.#apart(i)
      const isHome = i === this.#home
      item.leftBy = isHome && apart < HOME_APART_MAX ? this.#leftOfStar(i) : undefined
      const isNamed = apart >= (isHome ? HOME_APART_MIN : APART_MIN)
      if (item.pixels <= largest && isNamed) this.#shown.push(item)
    }
    return this.#shown
  }

  things(): Iterable<LabelItem> {
    return this.#all
  }

  covers(): Iterable<BodyItem> {
    return this.#all
  }

  /** How far from its parent, which comes before it, it is seen [px]. */
  #apart(i: number): number {
    const { parent } = this.#bodies[i]
    if (parent < 0 || !this.#isAhead[parent]) return Infinity
    const { x, y } = this.#points[i]
    const other = this.#points[parent]
    return Math.hypot(other.x - x, other.y - y)
  }

  /** The name of the parent stands right of it. */
  #leftOfStar(i: number): number {
    const { x } = this.#points[i]
    return Math.max(x - this.#points[this.#bodies[i].parent].x, 0) + HOME_GAP
  }
}
