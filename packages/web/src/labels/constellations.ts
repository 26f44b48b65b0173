/** Lines and names of constellations, and names of the brightest stars, infinitely far away. */
import { vector, type Vector } from '@orrery/page-kit'
import type { Frame, Lens } from '../scene/frame.ts'
import { Ribbon, type RibbonPoint } from '../scene/ribbon.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import type { LabelItem, LabelSource } from '../view/label-source.ts'
import { starDirections } from '../sky/star-directions.ts'
import './constellations.css'

/** Beyond all bodies, and within what is drawn [m]. */
const DISTANCE = 5e14

/** Below all bodies; the brighter of two stars keeps its name. */
const STAR_PRIORITY = -10
const NAME_PRIORITY = -300

const COLOUR = [0.4, 0.52, 0.72] as const
const STYLE = { colour: COLOUR, burn: COLOUR, width: 1, isDashed: false }
const STRENGTH = 0.4

export interface Catalogue {
  /** names of the brightest stars, in their order */
  readonly stars: readonly string[]
  readonly constellations: readonly {
    readonly name: string
    /** right ascension and declination of its name [degrees] */
    readonly at: readonly [number, number]
    /** stars by their place in the order of brightness, line by line */
    readonly lines: readonly (readonly number[])[]
  }[]
}

/**
 * @param stars  address of their directions
 * @param figures  address of the catalogue
 * @throws where one does not load
 */
export async function loadedConstellations(
  stars: string,
  figures: string,
): Promise<Constellations> {
  const [bytes, catalogue] = await Promise.all([
    fetch(stars).then((answer) => answer.arrayBuffer()),
    fetch(figures).then((answer) => answer.json() as Promise<Catalogue>),
  ])
  return new Constellations(starDirections(bytes), catalogue)
}

export class Constellations implements SceneLayer, LabelSource {
  readonly drawables: readonly [Ribbon]
  readonly version = 0
  readonly #items: readonly LabelItem[]
  readonly #ribbon: Ribbon
  #width = 0
  #height = 0

  /** @param directions  of the stars, the brightest first, three numbers each */
  constructor(directions: Float32Array, { stars: names, constellations: figures }: Catalogue) {
    const starAt = (star: number): Vector => farAway(directions.subarray(3 * star, 3 * star + 3))
    const lines = figures.flatMap((figure) => figure.lines)
    this.#ribbon = new Ribbon(
      STYLE,
      lines.reduce((sum, line) => sum + line.length, 0),
    )
    this.drawables = [this.#ribbon]
    for (const line of lines) {
      for (const [i, star] of line.entries()) {
        const [x, y, z] = starAt(star)
        this.#ribbon.add(x, y, z, look(i === line.length - 1))
      }
    }
    this.#items = [
      ...names.map((text, i) => item('fixed-star', text, i, starAt(i), STAR_PRIORITY - i)),
      ...figures.map(({ name, at }, i) =>
        item('constellation', name, i, farAway(direction(at)), NAME_PRIORITY),
      ),
    ]
  }

  items(): readonly LabelItem[] {
    return this.#items
  }

  place(_: Frame, lens: Lens): void {
    // From every place in a star system the stars are in the same directions.
    if (lens.width === this.#width && lens.height === this.#height) return
    this.#width = lens.width
    this.#height = lens.height
    this.#ribbon.finish(lens, 1)
  }

  dispose(): void {
    this.#ribbon.dispose()
  }
}

function look(isLast: boolean): RibbonPoint {
  return { strength: STRENGTH, isBurning: false, along: 0, isLast }
}

function item(
  kind: LabelItem['kind'],
  text: string,
  i: number,
  position: Vector,
  priority: number,
): LabelItem {
  return { key: `${kind} ${i}`, text, kind, position, pixels: 2, priority, thing: undefined }
}

function farAway(towards: ArrayLike<number>): Vector {
  return vector(DISTANCE * towards[0], DISTANCE * towards[1], DISTANCE * towards[2])
}

/** Unit vector in ICRF. */
function direction([rightAscension, declination]: readonly [number, number]): number[] {
  const [a, d] = [(rightAscension * Math.PI) / 180, (declination * Math.PI) / 180]
  return [Math.cos(d) * Math.cos(a), Math.cos(d) * Math.sin(a), Math.sin(d)]
}
