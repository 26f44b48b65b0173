/** Marks of directions, as the navball has them. */
import type { JSX } from 'preact'
import type { SteeringMode } from '../orders/steering-modes.ts'

const CIRCLE = 'M12 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12'
const WIDE = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18'
const DOT = 'M12 11a1 1 0 1 0 0 2a1 1 0 1 0 0-2'

const RAYS = 'M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2'

/** Lines of each mark in a square of 24. */
const PATHS: Readonly<Record<SteeringMode, string>> = {
  prograde: `${CIRCLE}${DOT}M12 6V2M6 12H2M18 12h4`,
  retrograde: `${CIRCLE}M7.8 7.8l8.4 8.4M16.2 7.8l-8.4 8.4M12 6V2M7 16l-3 3M17 16l3 3`,
  normal: `M12 4l8.5 15h-17zM12 13v0.1${DOT}`,
  antinormal: `M12 20L3.5 5h17zM12 10v0.1`,
  radial_out: `${CIRCLE}${DOT}M7.8 7.8L4 4M16.2 7.8L20 4M7.8 16.2L4 20M16.2 16.2L20 20`,
  radial_in: `${WIDE}M5.6 5.6l4 4M18.4 5.6l-4 4M5.6 18.4l4-4M18.4 18.4l-4-4`,
  target: `M3 8V3h5M21 8V3h-5M3 16v5h5M21 16v5h-5${DOT}`,
  away: `M12 12V3M12 12l-8 6M12 12l8 6M9 4l3-2l3 2`,
  sun: `M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3${RAYS}`,
  hold: `M7 11V8a5 5 0 0 1 10 0v3M5 11h14v10H5z`,
  rest: `${WIDE}M8 12h8`,
  loose: `M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5`,
}

export function SteeringIcon({ mode }: { readonly mode: SteeringMode }): JSX.Element {
  return (
    <svg class="steering-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[mode]} />
    </svg>
  )
}
