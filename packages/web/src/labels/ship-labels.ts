/** Names of ships: one's own, what is chosen, and the nearest. */
import type { Ship } from '@orrery/client/flight'
import type { Game } from '../game/game.ts'
import type { Thing } from '../readings/thing.ts'
import { COURIER_RADIUS } from '../craft/courier-model.ts'
import { shipScale } from '../craft/ship-scale.ts'
import type { ShipLayer } from '../craft/ship-layer.ts'
import type { Craft } from '../scene/surroundings.ts'
import { length, vector, type Vector } from '@orrery/page-kit'
import type { LabelItem, LabelSource, SeenThing } from '../view/label-source.ts'
import { seenFrom } from '../view/seen-from.ts'
import type { Stage } from '../view/stage.ts'

/** Ships with names besides one's own and those that are chosen. */
const NAMED = 40

/** A ship that is farther has no name unless it is chosen [m]. */
const DISTANCE_MAX = 2e6

/** Those of ships, the nearest first, are below those of moons. */
const PRIORITY = 6
const OWN_PRIORITY = 60

interface ShipItem extends LabelItem {
  key: string
  text: string
  kind: 'ship' | 'own'
  pixels: number
  priority: number
  thing: Thing
}

export class ShipLabels implements LabelSource {
  readonly #game: Game
  readonly #stage: Stage
  readonly #layer: ShipLayer
  readonly #pool: ShipItem[] = []
  readonly #items: ShipItem[] = []
  readonly #position = vector()

  constructor(game: Game, stage: Stage, layer: ShipLayer) {
    this.#game = game
    this.#stage = stage
    this.#layer = layer
  }

  items(): readonly LabelItem[] {
    this.#items.length = 0
    const { craft } = this.#stage.frame?.surroundings ?? {}
    if (!craft) return this.#items
    const ships = craft.world.ships()
    const { nearest } = this.#layer.places
    for (let k = 0; k < nearest.count && k < NAMED; k++) {
      if (nearest.squares[k] > DISTANCE_MAX * DISTANCE_MAX) break
      const index = nearest.indices[k]
      this.#layer.places.placeOf(this.#position, index)
      this.#add(ships[index], craft, NAMED - k)
    }
    const { focus, target } = this.#game
    this.#addChosen(craft.ship.id, craft)
    for (const chosen of [focus.peek(), target.peek()]) {
      if (chosen?.kind === 'ship') this.#addChosen(chosen.id, craft)
    }
    return this.#items
  }

  *things(): Iterable<SeenThing> {
    const { craft } = this.#stage.frame?.surroundings ?? {}
    if (!craft) return
    const ships = craft.world.ships()
    const { places } = this.#layer
    for (let i = 0; i < places.count && i < ships.length; i++) {
      const position = vector()
      places.placeOf(position, i)
      if (Number.isNaN(position[0])) continue
      yield {
        position,
        pixels: this.#pixels(position),
        thing: { kind: 'ship', id: ships[i].id },
      }
    }
  }

  /** One that may not be among the nearest. */
  #addChosen(id: string, craft: Craft): void {
    if (this.#items.some(({ thing }) => thing.kind === 'ship' && thing.id === id)) return
    const ship = craft.world.ship(id)
    const thing = { kind: 'ship', id } as const
    if (ship && seenFrom(this.#stage, this.#position, thing)) this.#add(ship, craft, 0)
  }

  /** A ship whose place is in `#position`. */
  #add(ship: Ship, craft: Craft, rank: number): void {
    const item = (this.#pool[this.#items.length] ??= emptyItem())
    const { id, name } = ship
    const isOwn = id === craft.ship.id
    if (item.thing.kind !== 'ship' || item.thing.id !== id) item.thing = { kind: 'ship', id }
    item.key = `ship ${id}`
    item.text = name
    item.kind = isOwn ? 'own' : 'ship'
    item.priority = isOwn ? OWN_PRIORITY : PRIORITY + rank / NAMED
    item.position.set(this.#position)
    item.pixels = shipScale(craft.world, ship) * this.#pixels(this.#position)
    this.#items.push(item)
  }

  #pixels(position: Vector): number {
    return (this.#stage.lens.focal * COURIER_RADIUS) / Math.max(length(position), 1)
  }
}

function emptyItem(): ShipItem {
  const thing = { kind: 'ship', id: '' } as const
  const position = vector()
  return { key: '', text: '', kind: 'ship', position, pixels: 0, priority: 0, thing }
}
