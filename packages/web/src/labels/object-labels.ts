/** Names of stations and jump gates. */
import type { ObjectLayer, SeenObject } from '../craft/object-layer.ts'
import type { LabelItem, LabelSource } from '../view/label-source.ts'

/** Below those of planets and of large moons. */
const PRIORITY = { station: 14, jumpgate: 13 } as const

interface ObjectItem extends LabelItem {
  pixels: number
}

export class ObjectLabels implements LabelSource {
  readonly #layer: ObjectLayer
  #seen: readonly SeenObject[] = []
  #all: readonly ObjectItem[] = []
  readonly #known: ObjectItem[] = []

  constructor(layer: ObjectLayer) {
    this.#layer = layer
  }

  items(): readonly LabelItem[] {
    if (this.#seen !== this.#layer.seen) this.#renew()
    this.#known.length = 0
    for (const [i, item] of this.#all.entries()) {
      item.pixels = this.#seen[i].pixels
      if (item.pixels > 0) this.#known.push(item)
    }
    return this.#known
  }

  #renew(): void {
    this.#seen = this.#layer.seen
    this.#all = this.#seen.map(({ object: { id, kind, name }, position }) => {
      const thing = { kind, id }
      const priority = PRIORITY[kind]
      return { key: `${kind} ${id}`, text: name, kind, position, pixels: 0, priority, thing }
    })
  }
}
