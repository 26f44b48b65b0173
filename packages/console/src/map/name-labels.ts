/** Names on the map, as text of the canvas: none covers another. */
import { type LabelCandidate, placedLabels } from '@orrery/page-kit'
import type { MapPicture } from './map-picture.ts'
import type { Point } from './map-view.ts'

/** Names that can be shown at once. */
const NAMES_MAX = 60

/** Widths of names that are kept. */
const WIDTHS_MAX = 2000

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const HEIGHT = 15

export interface NameLabel {
  readonly text: string
  readonly colour: string
  /** higher is placed first */
  readonly priority: number
  /** from the point to the text [px] */
  readonly gap: number
  /** in place of beside it */
  readonly isBelow?: boolean
  readonly x: number
  readonly y: number
}

export class NameLabels {
  readonly #widths = new Map<string, number>()
  #labels: NameLabel[] = []

  /** Begins another picture. */
  clear(): void {
    this.#labels = []
  }

  add(label: Omit<NameLabel, 'x' | 'y'>, { x, y }: Readonly<Point>): void {
    this.#labels.push({ ...label, x, y })
  }

  draw({ parts: { context, colours } }: MapPicture): void {
    context.font = FONT
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    const boxes = this.#labels.map((label) => this.#box(context, label))
    context.strokeStyle = colours.ground
    context.lineWidth = 2.5
    for (const i of placedLabels(boxes, NAMES_MAX)) {
      const { text, colour } = this.#labels[i]
      const { left, top } = boxes[i]
      context.fillStyle = colour
      // What lies behind stays away from the letters.
      context.strokeText(text, left, top + HEIGHT / 2)
      context.fillText(text, left, top + HEIGHT / 2)
    }
  }

  #box(context: CanvasRenderingContext2D, label: NameLabel): LabelCandidate {
    const { text, x, y, gap, priority, isBelow = false } = label
    let width = this.#widths.get(text)
    if (width === undefined) {
      if (this.#widths.size >= WIDTHS_MAX) this.#widths.clear()
      width = context.measureText(text).width
      this.#widths.set(text, width)
    }
    if (isBelow) return { left: x - width / 2, top: y + gap, width, height: HEIGHT, priority }
    return { left: x + gap, top: y - HEIGHT / 2, width, height: HEIGHT, priority }
  }
}
