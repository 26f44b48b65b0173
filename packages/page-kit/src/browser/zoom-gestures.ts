/** Zooms by the wheel, and by pinches on a trackpad. */

/** Wheel and trackpad: so much of a factor's logarithm. */
const ZOOM_PER_PIXEL = 0.0022
const PINCH_PER_PIXEL = 0.01

/** One event does no more. */
const ZOOM_MAX = 0.66

const LINE_PIXELS = 18

/** Safari's own, for pinches on a trackpad. */
interface GestureEvent extends MouseEvent {
  /** since the gesture began */
  readonly scale: number
}

export interface ZoomTarget {
  /** factor of what a pixel is long; below 1 is nearer */
  readonly zoom: (factor: number, event: MouseEvent) => void
  /** fingers on the screen are pointers, which zoom by themselves */
  readonly isTouched: () => boolean
}

/** Keeps the browser from zooming the page; returns how to stop. */
export function followZoom(element: HTMLElement, { zoom, isTouched }: ZoomTarget): () => void {
  let scale = 1
  const listeners: Readonly<Record<string, (event: never) => void>> = {
    wheel: (event: WheelEvent) => zoom(wheelFactor(event, element.clientHeight), event),
    gesturestart: () => (scale = 1),
    gesturechange: (event: GestureEvent) => {
      const before = scale
      scale = Math.max(event.scale, 1e-3)
      if (!isTouched()) zoom(before / scale, event)
    },
    gestureend: () => undefined,
  }
  const stop = new AbortController()
  const { signal } = stop
  for (const [kind, listener] of Object.entries(listeners)) {
    const listen = (event: Event): void => {
      event.preventDefault()
      listener(event as never)
    }
    element.addEventListener(kind, listen, { passive: false, signal })
  }
  return () => stop.abort()
}

type WheelTurn = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>

/** @param height  of a page, by which some wheels count [px] */
export function wheelFactor({ deltaY, deltaMode, ctrlKey }: WheelTurn, height: number): number {
  const pixels = deltaY * ([1, LINE_PIXELS, height][deltaMode] ?? 1)
  // Browsers send pinches on a trackpad as turns of the wheel with Ctrl.
  const power = pixels * (ctrlKey ? PINCH_PER_PIXEL : ZOOM_PER_PIXEL)
  return Math.exp(Math.min(Math.max(power, -ZOOM_MAX), ZOOM_MAX))
}
