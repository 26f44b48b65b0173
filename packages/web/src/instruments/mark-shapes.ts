/** Signs of directions, as on navballs: outlines within a circle of radius 1, and colours. */
import type { Mark } from '../space/navball-model.ts'

export interface MarkShape {
  /** of lines, in the notation of SVG paths; y points down */
  readonly lines: string
  /** of areas */
  readonly areas: string
  readonly colour: string
}

/** @param y  of its centre */
function circle(r: number, y: number = 0): string {
  return `M${-r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
}

const RING = circle(0.58)
const DOT = circle(0.15)
const RAYS = 'M.44-.44 .67-.67M-.44-.44-.67-.67M.44 .44 .67 .67M-.44 .44-.67 .67'
const PROGRADE = '#c4ee3f'
const NORMAL = '#da82ff'
const RADIAL = '#4fd4f5'
const TARGET = '#ff6aa9'

export const MARK_SHAPES: Readonly<Record<Mark, MarkShape>> = {
  prograde: { lines: `${RING}M0-.58V-1M-.58 0H-1M.58 0H1`, areas: DOT, colour: PROGRADE },
  retrograde: {
    lines: `${RING}M-.41-.41 .41 .41M.41-.41-.41 .41M0-.58V-1M-.5 .29-.87 .5M.5 .29 .87 .5`,
    areas: '',
    colour: PROGRADE,
  },
  normal: {
    lines: 'M0-.86 .84 .6H-.84Z',
    areas: circle(0.15, 0.11),
    colour: NORMAL,
  },
  antinormal: {
    lines: 'M0 .86 .84-.6H-.84ZM0 .86V.3M.84-.6 .36-.3M-.84-.6-.36-.3',
    areas: '',
    colour: NORMAL,
  },
  radial_out: {
    lines: `${RING}M.41-.41 .76-.76M-.41-.41-.76-.76M.41 .41 .76 .76M-.41 .41-.76 .76`,
    areas: DOT,
    colour: RADIAL,
  },
  radial_in: {
    lines: `${circle(0.72)}M.5-.5 .2-.2M-.5-.5-.2-.2M.5 .5 .2 .2M-.5 .5-.2 .2`,
    areas: '',
    colour: RADIAL,
  },
  target: {
    lines: 'M-.8-.35V-.8H-.35M.35-.8H.8V-.35M.8 .35V.8H.35M-.35 .8H-.8V.35',
    areas: circle(0.2),
    colour: TARGET,
  },
  antitarget: {
    lines: `${circle(0.3)}M0-.3V-1M-.26 .15-.87 .5M.26 .15 .87 .5`,
    areas: '',
    colour: TARGET,
  },
  sun: {
    lines: `M0-.62V-.95M0 .62V.95M.62 0H.95M-.62 0H-.95${RAYS}`,
    areas: circle(0.38),
    colour: '#ffd65c',
  },
  maneuver: { lines: 'M0-.8 .8 0 0 .8-.8 0Z', areas: DOT, colour: '#7db4ff' },
}
