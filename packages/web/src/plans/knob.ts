/** A knob on the map that is dragged, or stepped by keys and the wheel. */
import { made } from '../view/elements.ts'
import { signOf, stepOf, turnOf } from './node-steps.ts'

export interface Drag {
  /** since the knob was taken, to the right and down [px] */
  readonly dx: number
  readonly dy: number
  /** where the pointer is [px] */
  readonly x: number
  readonly y: number
}

export interface KnobActions {
  /** it is taken in hand, or the keyboard comes to it */
  readonly take: () => void
  readonly drag: (drag: Drag) => void
  readonly step: (steps: number) => void
}

export class Knob {
  readonly element: HTMLDivElement

  /** @param isReached  whether the keyboard comes to it, too */
  constructor(className: string, isReached: boolean, actions: KnobActions) {
    this.element = made('div', '', `plan-knob ${className}`)
    if (isReached) {
      this.element.tabIndex = 0
      this.element.setAttribute('role', 'slider')
    } else this.element.ariaHidden = 'true'
    this.#followPointer(actions)
    this.#followSteps(actions)
  }

  /** Says what a reader reads. */
  say(label: string, value: number, text: string): void {
    const { element } = this
    const rounded = String(Math.round(10 * value) / 10)
    if (element.ariaLabel !== label) element.ariaLabel = label
    if (element.ariaValueNow !== rounded) element.ariaValueNow = rounded
    if (element.ariaValueText !== text) element.ariaValueText = text
  }

  /** Puts its middle at a point of the picture [px]; hides it without one. */
  place(x: number, y: number): void {
    this.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
  }

  #followPointer({ take, drag }: KnobActions): void {
    const { element } = this
    let from: { readonly x: number; readonly y: number } | undefined
    element.addEventListener('pointerdown', (event) => {
      if (!event.isPrimary) return
      event.preventDefault()
      element.setPointerCapture(event.pointerId)
      if (element.tabIndex === 0) element.focus()
      from = { x: event.clientX, y: event.clientY }
      take()
    })
    element.addEventListener('pointermove', ({ clientX: x, clientY: y, isPrimary }) => {
      if (from && isPrimary) drag({ dx: x - from.x, dy: y - from.y, x, y })
    })
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, () => (from = undefined))
    }
  }

  #followSteps({ take, step }: KnobActions): void {
    const { element } = this
    element.addEventListener('focus', take)
    element.addEventListener('keydown', (event) => {
      const sign = signOf(event.key)
      if (sign === undefined) return
      event.preventDefault()
      event.stopPropagation()
      step(sign * stepOf(event))
    })
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        step(turnOf(event) * stepOf(event))
      },
      { passive: false },
    )
  }
}
