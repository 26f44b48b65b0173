import type { Engine, RosterEntry } from '@orrery/engine'
import { type ShipTree, createShipTree } from '../frames/ship-tree.ts'
import type { Subscription } from '../frames/subscription.ts'
import { type Channel, SHIPS_IN_BINARY_VIEW_MAX, listOf } from './channel.ts'
import type { ShipList } from './client-view.ts'

/** Least time between two readings of where all ships are, and how many of their time they take. */
const SCENE_MS = 1000
const SCENE_SHARE = 20

/** In place of the square of a distance that is not known [m²]. */
const FAR = 1e300

/** Where the ships of a system were; good for a while. */
interface Scene {
  readonly ships: readonly RosterEntry[]
  readonly positions: Float64Array
  /** place of the ship that was in a slot */
  readonly placeOfSlot: Int32Array
  tree: ShipTree | undefined
  /** when another one may be made [ms] */
  readonly untilMs: number
}

/** Decides which ships clients see; where ships are is read once a second, as they move little. */
export class Interests {
  readonly #engine: Pick<Engine, 'sky'>
  readonly #nowMs: () => number
  readonly #scenes = new WeakMap<Channel, Scene>()
  readonly #found = new Uint32Array(SHIPS_IN_BINARY_VIEW_MAX)

  constructor(engine: Pick<Engine, 'sky'>, nowMs: () => number) {
    this.#engine = engine
    this.#nowMs = nowMs
  }

  /** The ships of a narrowed view, or of a system that is too large for a whole one. */
  ships(channel: Channel, own: RosterEntry | undefined, subscription: Subscription): ShipList {
    const { byId, byNumber } = channel.world.roster
    const { ids, radius } = subscription
    if (ids !== undefined && radius === undefined) {
      const named = ids.flatMap((id) => byId.get(id) ?? [])
      return listOf(own ? [...named.filter((entry) => entry !== own), own] : named)
    }
    const scene = this.#scene(channel)
    const found = this.#select(channel, scene, own, subscription)
    // A ship may have gone since the scene was made.
    const entries = found.flatMap((place) => byNumber.get(scene.ships[place].number) ?? [])
    if (own) entries.push(own)
    return listOf(entries)
  }

  /** The places of a list's ships, the own one first, then the nearest to it. */
  order(channel: Channel, own: RosterEntry | undefined, ships: ShipList): Uint32Array {
    const scene = this.#scene(channel)
    const center = own ? placeIn(scene, own) : -1
    const far = Float64Array.from(ships.numbers, (number, i) => {
      if (number === own?.number) return -1
      const place = placeIn(scene, { number, slot: ships.slots[i] })
      return center < 0 || place < 0 ? FAR : distance2(scene.positions, center, place)
    })
    return Uint32Array.from(far.keys()).toSorted((a, b) => far[a] - far[b])
  }

  /** Places in the scene, without the own ship. */
  #select(
    { world }: Channel,
    scene: Scene,
    own: RosterEntry | undefined,
    { ids, radius = Infinity }: Subscription,
  ): readonly number[] {
    const { positions } = scene
    const most = SHIPS_IN_BINARY_VIEW_MAX - (own ? 1 : 0)
    const center = own ? placeIn(scene, own) : -1
    if (ids !== undefined) {
      return ids.flatMap((id) => {
        const entry = world.roster.byId.get(id)
        const place = entry ? placeIn(scene, entry) : -1
        if (place < 0 || place === center || center < 0) return []
        return distance2(positions, center, place) <= radius * radius ? [place] : []
      })
    }
    if (center < 0) return own ? [] : [...scene.ships.keys()].slice(0, most)
    scene.tree ??= createShipTree(positions)
    const count = scene.tree.nearest(this.#found, center, most, radius)
    return [...this.#found.subarray(0, count)]
  }

  #scene(channel: Channel): Scene {
    const known = this.#scenes.get(channel)
    const beganMs = this.#nowMs()
    if (known && known.untilMs > beganMs) return known
    const fleet = this.#engine.sky().fleets.get(channel.systemId)!
    const { ships } = fleet
    const positions = fleet.positions()
    const placeOfSlot = new Int32Array(channel.world.state.slots).fill(-1)
    for (const [place, { slot }] of ships.entries()) placeOfSlot[slot] = place
    const tookMs = this.#nowMs() - beganMs
    const untilMs = beganMs + Math.max(SCENE_MS, SCENE_SHARE * tookMs)
    const scene: Scene = { ships, positions, placeOfSlot, tree: undefined, untilMs }
    this.#scenes.set(channel, scene)
    return scene
  }
}

/** Place of a ship in a scene; -1 when it was not there. */
function placeIn(
  { placeOfSlot, ships }: Scene,
  { number, slot }: Pick<RosterEntry, 'number' | 'slot'>,
): number {
  const place = placeOfSlot[slot]
  return place >= 0 && ships[place].number === number ? place : -1
}

function distance2(positions: Float64Array, a: number, b: number): number {
  const dx = positions[3 * a] - positions[3 * b]
  const dy = positions[3 * a + 1] - positions[3 * b + 1]
  const dz = positions[3 * a + 2] - positions[3 * b + 2]
  return dx * dx + dy * dy + dz * dz
}
