import type { RosterEntry } from '@orrery/engine'
import { type ShipTree, createShipTree } from '../frames/ship-tree.ts'
import type { Subscription } from '../frames/subscription.ts'
import { type Channel, SHIPS_IN_BINARY_VIEW_MAX, listOf } from './channel.ts'
import type { ShipList } from './client-view.ts'

/** Least time between two readings of where all ships are, and how many of their time they take. */
const SCENE_MS = 1000
const SCENE_SHARE = 20

/** In place of the square of a distance that is not known [m²]. */
const FAR = 1e300

/** About where the ships of a system were; good for a while. */
interface Scene extends ReturnType<Channel['trajectories']['whereabouts']> {
  tree: ShipTree | undefined
  /** when another one may be made [ms] */
  readonly untilMs: number
}

/** Decides which ships clients see; where ships are is read once a second, as they move little. */
export class Interests {
  readonly #nowMs: () => number
  readonly #scenes = new WeakMap<Channel, Scene>()
  readonly #found = new Uint32Array(SHIPS_IN_BINARY_VIEW_MAX)

  constructor(nowMs: () => number) {
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
    const entries = found.flatMap((slot) => byNumber.get(scene.numbers[slot]) ?? [])
    if (own) entries.push(own)
    return listOf(entries)
  }

  /** The places of a list's ships, the own one first, then the nearest to it. */
  order(channel: Channel, own: RosterEntry | undefined, ships: ShipList): Uint32Array {
    const scene = this.#scene(channel)
    const isOwnThere = own !== undefined && isIn(scene, own)
    const far = Float64Array.from(ships.numbers, (number, i) => {
      if (number === own?.number) return -1
      const slot = ships.slots[i]
      if (!isOwnThere || !isIn(scene, { number, slot })) return FAR
      return distance2(scene.positions, own.slot, slot)
    })
    return Uint32Array.from(far.keys()).toSorted((a, b) => far[a] - far[b])
  }

  /** Slots in the scene, without that of the own ship. */
  #select(
    { world }: Channel,
    scene: Scene,
    own: RosterEntry | undefined,
    { ids, radius = Infinity }: Subscription,
  ): readonly number[] {
    const { positions } = scene
    const most = SHIPS_IN_BINARY_VIEW_MAX - (own ? 1 : 0)
    const isOwnThere = own !== undefined && isIn(scene, own)
    if (ids !== undefined) {
      return ids.flatMap((id) => {
        const entry = world.roster.byId.get(id)
        if (!isOwnThere || !entry || entry === own || !isIn(scene, entry)) return []
        return distance2(positions, own.slot, entry.slot) <= radius * radius ? [entry.slot] : []
      })
    }
    if (!isOwnThere) return own ? [] : oldest(world, scene, most)
    scene.tree ??= createShipTree(positions, occupied(scene))
    const count = scene.tree.nearest(this.#found, own.slot, most, radius)
    return [...this.#found.subarray(0, count)]
  }

  #scene(channel: Channel): Scene {
    const known = this.#scenes.get(channel)
    const beganMs = this.#nowMs()
    if (known && known.untilMs > beganMs) return known
    const whereabouts = channel.trajectories.whereabouts(known)
    const tookMs = this.#nowMs() - beganMs
    const untilMs = beganMs + Math.max(SCENE_MS, SCENE_SHARE * tookMs)
    const scene: Scene = { ...whereabouts, tree: undefined, untilMs }
    this.#scenes.set(channel, scene)
    return scene
  }
}

function isIn({ numbers }: Scene, { number, slot }: Pick<RosterEntry, 'number' | 'slot'>): boolean {
  return numbers[slot] === number
}

/** Slots of the ships that are there longest. */
function oldest({ roster }: Channel['world'], scene: Scene, most: number): number[] {
  const slots: number[] = []
  for (const entry of roster.byNumber.values()) {
    if (slots.length === most) break
    if (isIn(scene, entry)) slots.push(entry.slot)
  }
  return slots
}

/** Slots that had a ship. */
function occupied({ numbers }: Scene): Uint32Array {
  const slots = new Uint32Array(numbers.length)
  let count = 0
  for (let slot = 0; slot < numbers.length; slot++) if (numbers[slot] > 0) slots[count++] = slot
  return slots.subarray(0, count)
}

function distance2(positions: Float64Array, a: number, b: number): number {
  const dx = positions[3 * a] - positions[3 * b]
  const dy = positions[3 * a + 1] - positions[3 * b + 1]
  const dz = positions[3 * a + 2] - positions[3 * b + 2]
  return dx * dx + dy * dy + dz * dz
}
