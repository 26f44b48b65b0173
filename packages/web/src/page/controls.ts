/** Mouse and touch on the picture. */
import { followZoom } from '@orrery/page-kit'

export interface ControlTargets {
  /** [rad] */
  readonly turn: (yaw: number, pitch: number) => void
  /** factor of the height; below 1 is nearer */
  readonly zoom: (factor: number) => void
  /** a click or tap [px] */
  readonly choose: (x: number, y: number, reach: number) => void
}

const TURN_PER_PIXEL = 0.005

/** A pointer that moved less has clicked [px]. */
const CLICK_PIXELS = 6

interface Pointer {
  x: number
  y: number
  moved: number
}

export function attachControls(canvas: HTMLCanvasElement, targets: ControlTargets): void {
  const pointers = new Map<number, Pointer>()
  attachPointers(canvas, pointers, targets)
  const isTouched = (): boolean => pointers.size > 0
  followZoom(canvas, { zoom: (factor) => targets.zoom(factor), isTouched })
}

function attachPointers(
  canvas: HTMLCanvasElement,
  pointers: Map<number, Pointer>,
  targets: ControlTargets,
): void {
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, moved: 0 })
  })
  canvas.addEventListener('pointermove', (event) => {
    const pointer = pointers.get(event.pointerId)
    if (!pointer) return
    const before = spread(pointers)
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y]
    pointer.x = event.clientX
    pointer.y = event.clientY
    pointer.moved += Math.hypot(dx, dy)
    if (pointers.size === 1) targets.turn(-dx * TURN_PER_PIXEL, dy * TURN_PER_PIXEL)
    else if (before > 0) targets.zoom(before / Math.max(spread(pointers), 1))
  })
  const release = (event: PointerEvent): void => {
    const pointer = pointers.get(event.pointerId)
    const isClick = event.type === 'pointerup' && pointers.size === 1 && pointer
    pointers.delete(event.pointerId)
    if (isClick && pointer.moved < CLICK_PIXELS) {
      targets.choose(pointer.x, pointer.y, event.pointerType === 'mouse' ? 10 : 24)
    }
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
}

/** Between two fingers [px]; 0 for one. */
function spread(pointers: ReadonlyMap<number, Pointer>): number {
  const [a, b] = pointers.values()
  return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0
}
