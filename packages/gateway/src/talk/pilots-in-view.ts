import { findShip } from '@orrery/engine'
import type { ServedEngine } from '../views/served-engine.ts'

/** Ships whose pilots are sent what a pilot says. */
export const PILOTS_MAX = 100

/** Least time between two readings of where pilots are, and how many of their time they take. */
const SCENE_MS = 1000
const SCENE_SHARE = 20

/** Where ships of one star system were, from its barycentre [m]; good for a while. */
interface Scene {
  readonly places: ReadonlyMap<string, readonly number[]>
  /** when another one may be made [ms] */
  readonly untilMs: number
}

/** Finds the pilots near to a ship. */
export class PilotsInView {
  readonly #engine: Pick<ServedEngine, 'universe' | 'sky'>
  readonly #nowMs: () => number
  readonly #scenes = new Map<string, Scene>()

  constructor(engine: Pick<ServedEngine, 'universe' | 'sky'>, nowMs: () => number) {
    this.#engine = engine
    this.#nowMs = nowMs
  }

  /**
   * The nearest of some ships in the star system of one, without it; to be called while no tick
   * runs.
   */
  of(shipId: string, ships: Iterable<string>): readonly string[] {
    const world = findShip(this.#engine.universe, shipId)?.world
    if (!world) return []
    const { byId } = world.roster
    const others = [...ships].filter((id) => id !== shipId && byId.has(id))
    if (others.length <= PILOTS_MAX) return others
    const { places } = this.#scene(world.state.system.id, [shipId, ...others])
    const far = new Map(others.map((id) => [id, distance2(places.get(shipId), places.get(id))]))
    return others.toSorted((a, b) => far.get(a)! - far.get(b)!).slice(0, PILOTS_MAX)
  }

  #scene(systemId: string, ships: readonly string[]): Scene {
    const known = this.#scenes.get(systemId)
    const beganMs = this.#nowMs()
    if (known && known.untilMs > beganMs) return known
    const fleet = this.#engine.sky().fleets.get(systemId)
    const places = new Map<string, readonly number[]>()
    for (const id of ships) {
      const index = fleet?.indexOf(id) ?? -1
      if (fleet && index >= 0) places.set(id, fleet.view(index).position)
    }
    const tookMs = this.#nowMs() - beganMs
    const scene = { places, untilMs: beganMs + Math.max(SCENE_MS, SCENE_SHARE * tookMs) }
    this.#scenes.set(systemId, scene)
    return scene
  }
}

/** Those that came after the reading count as the farthest. */
function distance2(a: readonly number[] | undefined, b: readonly number[] | undefined): number {
  if (!a || !b) return Number.MAX_VALUE
  const [x, y, z] = a.map((it, axis) => it - b[axis])
  return x * x + y * y + z * z
}
