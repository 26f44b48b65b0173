/** How keys, the wheel and a drag change a node. */
import { say } from '../languages/say.ts'
import type { DeltaV } from './plan.ts'

/** By their places in a Δv; the second one is the way of negative values. */
export const AXES: readonly (readonly [plus: string, minus: string])[] = [
  [say('Prograde'), say('Retrograde')],
  [say('Normal'), say('Antinormal')],
  [say('Radial out'), say('Radial in')],
]

/** Names of the same for style sheets. */
export const AXIS_CLASSES = [
  ['prograde', 'retrograde'],
  ['normal', 'antinormal'],
  ['radial-out', 'radial-in'],
] as const

type Modifiers = Pick<KeyboardEvent, 'shiftKey' | 'altKey'>

/** An arrow key or a turn of the wheel [m/s], and likewise of a time [s]. */
export function stepOf({ shiftKey, altKey }: Modifiers): number {
  if (shiftKey) return 10
  return altKey ? 0.1 : 1
}

/** Which way an arrow key steps. */
export function signOf(key: string): number | undefined {
  return { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key]
}

/** Which way a turn of the wheel steps; with Shift browsers turn it sideways. */
export function turnOf({ deltaX, deltaY }: Pick<WheelEvent, 'deltaX' | 'deltaY'>): number {
  return -Math.sign(deltaY || deltaX)
}

/** A Δv with another component. */
export function withComponent(deltaV: DeltaV, axis: number, value: number): DeltaV {
  const [prograde, normal, radial] = deltaV.map((old, i) => (i === axis ? value : old))
  return [prograde, normal, radial]
}

/** What a drag along a handle adds [m/s]: fine at first, and more and more with its way [px]. */
export function dragged(pixels: number): number {
  const size = 0.1 * Math.abs(pixels) + 0.01 * pixels * pixels
  return Math.sign(pixels) * Number(size.toFixed(1))
}
