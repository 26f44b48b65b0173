/** Names over the picture, as many as have room. */
import { type Thing, keyOf } from '../readings/thing.ts'
import { type LabelCandidate, placedLabels } from '@orrery/page-kit'
import { Covering } from './covering.ts'
import { made } from '../view/elements.ts'
import type { LabelItem, LabelSource } from '../view/label-source.ts'
import type { Stage } from '../view/stage.ts'
import { TextWidths } from './text-widths.ts'

const HEIGHT = 20

/** From the limb of a body to its name [px]. */
const GAP = 5

/** What is shown already keeps its place against what is a little more important. */
const KEPT = 0.5

/** What is looked at, and the target, go before others. */
const CHOSEN = 100

/** Frames from one choice of names to the next. */
const FRAMES = 3

interface Label {
  readonly element: HTMLButtonElement
  item: LabelItem
  x: number
  y: number
  isSeen: boolean
  isFocus: boolean
  isAimed: boolean
}

/** What names stand for and where. */
interface Spot {
  item: LabelItem
  x: number
  y: number
  isAhead: boolean
}

export class LabelLayer {
  isOn = true
  readonly #root: HTMLElement
  readonly #stage: Stage
  readonly #onChoose: (thing: Thing) => void
  readonly #sources: ReadonlySet<LabelSource>
  readonly #widths = new TextWidths()
  readonly #covering = new Covering()
  /** by the key of their items */
  readonly #labels = new Map<string, Label>()
  readonly #spare: HTMLButtonElement[] = []
  readonly #spots: Spot[] = []
  #count = 0
  #frame = 0
  #covered: readonly DOMRect[] = []
  #focus = ''
  #target = ''

  constructor(
    root: HTMLElement,
    stage: Stage,
    sources: ReadonlySet<LabelSource>,
    onChoose: (thing: Thing) => void,
  ) {
    this.#root = root
    this.#stage = stage
    this.#sources = sources
    this.#onChoose = onChoose
  }

  /** Areas in which no name stands, since something is before them. */
  cover(areas: readonly DOMRect[]): void {
    this.#covered = areas
  }

  place(focus: Thing | undefined, target: Thing | undefined): void {
    this.#focus = focus ? keyOf(focus) : ''
    this.#target = target ? keyOf(target) : ''
    this.#gather()
    this.#frame = (this.#frame + 1) % FRAMES
    if (this.#frame === 0) this.#choose()
    for (const label of this.#labels.values()) label.isSeen = false
    for (let i = 0; i < this.#count; i++) this.#move(this.#spots[i])
    for (const label of this.#labels.values()) if (!label.isSeen) this.#release(label)
  }

  #gather(): void {
    this.#count = 0
    if (!this.isOn) return
    for (const source of this.#sources) {
      for (const item of source.items()) {
        const spot = (this.#spots[this.#count] ??= { item, x: 0, y: 0, isAhead: false })
        spot.item = item
        spot.isAhead = this.#stage.project(spot, item.position)
        this.#count++
      }
    }
  }

  #choose(): void {
    const spots = this.#spots.slice(0, this.#count)
    this.#covering.clear()
    for (const source of this.#sources) this.#covering.fill(source.covers?.() ?? [])
    const named = spots.filter((spot) => this.#hasName(spot))
    const boxes = named.map((spot) => this.#box(spot))
    // What covers the picture is placed first.
    const covers = this.#covered.map(({ left, top, width, height }) => {
      return { left, top, width, height, priority: Infinity }
    })
    const placed = placedLabels([...boxes, ...covers]).filter((k) => k < named.length)
    const keys = new Set(placed.map((k) => named[k].item.key))
    for (const [key, label] of this.#labels) if (!keys.has(key)) this.#release(label)
    for (const k of placed) if (!this.#labels.has(named[k].item.key)) this.#show(named[k].item)
  }

  #hasName({ item, x, y, isAhead }: Spot): boolean {
    const { width, height } = this.#stage.lens
    if (item.isFaint && !this.#isChosen(item)) return false
    if (!isAhead || x < 0 || y < 0 || x > width || y > height) return false
    return item.kind === 'own' || !this.#covering.covers(item.position)
  }

  #box({ item, x, y }: Spot): LabelCandidate {
    const isChosen = this.#isChosen(item)
    const { left, top, width } = this.#offset(item)
    return {
      left: x + left,
      top: y + top,
      width,
      height: HEIGHT,
      priority: item.priority + (this.#labels.has(item.key) ? KEPT : 0) + (isChosen ? CHOSEN : 0),
    }
  }

  #isChosen({ key }: LabelItem): boolean {
    return key === this.#focus || key === this.#target
  }

  /** From the middle of what is named to its name [px]. */
  #offset(item: LabelItem): { left: number; top: number; width: number } {
    const width = this.#widths.of(item.text, item.kind)
    if (item.leftBy !== undefined) return { left: -item.leftBy - width, top: -HEIGHT / 2, width }
    const beside = Math.min(item.pixels, 400) * 0.72 + GAP
    return { left: beside, top: -beside - HEIGHT / 2, width }
  }

  #show(item: LabelItem): void {
    const element = this.#spare.pop() ?? this.#made()
    element.className = `label ${item.kind}`
    element.textContent = item.text
    element.hidden = false
    const unmarked = { isSeen: true, isFocus: false, isAimed: false }
    this.#labels.set(item.key, { element, item, x: NaN, y: NaN, ...unmarked })
  }

  #made(): HTMLButtonElement {
    const element = made('button', '', 'label')
    element.type = 'button'
    // Lists are the way for the keyboard.
    element.tabIndex = -1
    element.addEventListener('click', () => {
      const label = [...this.#labels.values()].find((one) => one.element === element)
      if (label?.item.thing) this.#onChoose(label.item.thing)
    })
    this.#root.append(element)
    return element
  }

  #move({ item, x, y }: Spot): void {
    const label = this.#labels.get(item.key)
    if (!label) return
    const { element } = label
    if (label.item.text !== item.text) element.textContent = item.text
    label.item = item
    label.isSeen = true
    const offset = this.#offset(item)
    const [left, top] = [Math.round(10 * (x + offset.left)) / 10, y + offset.top]
    if (left !== label.x || Math.abs(top - label.y) > 0.05) {
      element.style.transform = `translate(${left}px, ${top.toFixed(1)}px)`
    }
    label.x = left
    label.y = top
    const isFocus = item.key === this.#focus
    const isAimed = item.key === this.#target
    if (isFocus !== label.isFocus) element.classList.toggle('focus', isFocus)
    if (isAimed !== label.isAimed) element.classList.toggle('aimed', isAimed)
    label.isFocus = isFocus
    label.isAimed = isAimed
  }

  #release({ element, item }: Label): void {
    element.hidden = true
    this.#spare.push(element)
    this.#labels.delete(item.key)
  }
}
