/** Leads the map by pointers, wheel and keys. */
import { followZoom, latinKey } from '@orrery/page-kit'
import type { Point } from './map-view.ts'

export interface MapMoves {
  pan(x: number, y: number): void
  /** makes a pixel so many times as long about a point, or about the middle */
  zoom(factor: number, at?: Point): void
  /** [rad] */
  turn(turn: number, tilt: number): void
  /** chooses what is there; with `reach` [px] */
  choose(at: Point, reach: number): void
  /** of keys that are no moves; false for those without a meaning */
  press(key: string): boolean
}

/** A pointer that moves farther is no click [px]. */
const CLICK_PIXELS = 5

const REACH = { mouse: 10, touch: 20 } as const

/** Of one press of a key. */
const PAN_PIXELS = 60
const ZOOM_STEP = 1.35
const TURN_STEP = 0.08

/** A turn of the view by so many pixels [rad]. */
const TURN_PER_PIXEL = 0.006

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

interface Held {
  point: Point
  readonly start: Point
  hasMoved: boolean
}

/** Returns how to stop. */
export function followGestures(element: HTMLElement, moves: MapMoves): () => void {
  const held = new Map<number, Held>()
  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const move = (event: PointerEvent): void => {
    const pointer = held.get(event.pointerId)
    if (!pointer) return
    const point = pointOf(event)
    const [x, y] = [point.x - pointer.point.x, point.y - pointer.point.y]
    const away = Math.hypot(point.x - pointer.start.x, point.y - pointer.start.y)
    pointer.hasMoved ||= away > CLICK_PIXELS
    if (!pointer.hasMoved) return
    const other = [...held.values()].find((one) => one !== pointer)
    if (other) {
      pinch(moves, { before: pointer.point, after: point, other: other.point })
    } else if (event.shiftKey || event.buttons === 2) {
      moves.turn(-x * TURN_PER_PIXEL, -y * TURN_PER_PIXEL)
    } else {
      moves.pan(x, y)
    }
    pointer.point = point
  }
  const release = (event: PointerEvent): void => {
    const pointer = held.get(event.pointerId)
    held.delete(event.pointerId)
    if (!pointer || pointer.hasMoved || event.type === 'pointercancel' || event.button !== 0) return
    moves.choose(pointer.point, event.pointerType === 'touch' ? REACH.touch : REACH.mouse)
  }
  const listeners: Partial<Record<keyof HTMLElementEventMap, (event: never) => void>> = {
    pointerdown: (event: PointerEvent) => {
      element.setPointerCapture(event.pointerId)
      const point = pointOf(event)
      held.set(event.pointerId, { point, start: point, hasMoved: held.size > 0 })
    },
    pointermove: move,
    pointerup: release,
    pointercancel: release,
    contextmenu: (event: MouseEvent) => event.preventDefault(),
    keydown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (pressed(moves, event)) event.preventDefault()
    },
  }
  for (const [kind, listener] of Object.entries(listeners)) {
    element.addEventListener(kind, listener as EventListener, { passive: false })
  }
  const stopZoom = followZoom(element, {
    zoom: (factor, event) => moves.zoom(factor, pointOf(event)),
    isTouched: () => held.size > 0,
  })
  return () => {
    stopZoom()
    for (const [kind, listener] of Object.entries(listeners)) {
      element.removeEventListener(kind, listener as EventListener)
    }
  }
}

function pinch(
  moves: MapMoves,
  {
    before,
    after,
    other,
  }: { readonly before: Point; readonly after: Point; readonly other: Point },
): void {
  const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 }
  const size = ({ x, y }: Point): number => Math.max(Math.hypot(x - other.x, y - other.y), 1)
  moves.pan((after.x - before.x) / 2, (after.y - before.y) / 2)
  moves.zoom(size(before) / size(after), middle)
}

function pressed(moves: MapMoves, event: KeyboardEvent): boolean {
  const key = latinKey(event)
  const arrow = ARROWS[key]
  if (arrow) {
    const [x, y] = arrow
    if (event.shiftKey) moves.turn(x * TURN_STEP, y * TURN_STEP)
    else moves.pan(x * PAN_PIXELS, y * PAN_PIXELS)
    return true
  }
  if (key === '+' || key === '=') moves.zoom(1 / ZOOM_STEP)
  else if (key === '-') moves.zoom(ZOOM_STEP)
  else return moves.press(key)
  return true
}
