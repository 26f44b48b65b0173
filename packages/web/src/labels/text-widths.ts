/** How wide texts of labels are on the page, measured once each. */

/** Then all are measured again: names come and go. */
const KEPT_MAX = 2000

/** Sizes of the letters by kind [px]; others have the first. */
const SIZES: Readonly<Record<string, number>> = {
  moon: 11,
  ship: 11,
  'fixed-star': 11,
  constellation: 11,
}
const SIZE = 12

/** Letters are set a little apart; on both sides a label has some room [px]. */
const SPACING = 1.06
const PADDING = 8

export class TextWidths {
  readonly #widths = new Map<string, number>()
  readonly #pen = document.createElement('canvas').getContext('2d')
  readonly #family = getComputedStyle(document.body).fontFamily

  /** [px] */
  of(text: string, kind: string): number {
    const size = SIZES[kind] ?? SIZE
    const key = `${size} ${text}`
    const known = this.#widths.get(key)
    if (known !== undefined) return known
    if (this.#pen) this.#pen.font = `${size}px ${this.#family}`
    const measured = this.#pen?.measureText(text).width ?? 7 * text.length
    const width = measured * SPACING + PADDING
    if (this.#widths.size >= KEPT_MAX) this.#widths.clear()
    this.#widths.set(key, width)
    return width
  }
}
