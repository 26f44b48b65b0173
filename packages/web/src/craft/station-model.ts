/**
 * A station of 55 m radius [m]: a wheel that turns about +z, and a spine along it that does not,
 * with berths, radiators, and solar arrays that face +y.
 */
import { LIGHT, type Paint, Solid, type Triple } from './solid.ts'

/** From the middle to the farthest point [m]. */
export const STATION_RADIUS = 55

const WHITE: Paint = [0.74, 0.76, 0.79, 0.3]
const PALE: Paint = [0.6, 0.63, 0.68, 0.3]
const GREY: Paint = [0.36, 0.39, 0.43, 0.3]
const DARK: Paint = [0.12, 0.13, 0.15, 0.4]
const STRIPE: Paint = [0.8, 0.32, 0.08, 0.3]
const CELL: Paint = [0.03, 0.07, 0.24, 1]
const FOIL: Paint = [0.72, 0.5, 0.18, 0.9]
const RADIATOR: Paint = [0.66, 0.64, 0.6, 0.2]
const WARM: Paint = [1, 0.82, 0.5, LIGHT]
const COOL: Paint = [0.6, 0.86, 1, LIGHT]

const UP: Triple = [0, 0, 1]
const MIDDLE: Triple = [0, 0, 0]

/** Sides of the wheel; a window is as long as one. */
const SIDES = 180

/** Across the wheel: place along the axis and distance from it, all the way round. */
const SECTION = [
  [-3.6, 53.2],
  [-0.5, 53.4],
  [0.5, 53.4],
  [3.6, 53.2],
  [4.8, 52],
  [4.8, 50.4],
  [4.8, 49.6],
  [4.8, 47.4],
  [4.8, 46.6],
  [4.8, 44],
  [3.6, 42.8],
  [-3.6, 42.8],
  [-4.8, 44],
  [-4.8, 46.6],
  [-4.8, 47.4],
  [-4.8, 49.6],
  [-4.8, 50.4],
  [-4.8, 52],
  [-3.6, 53.2],
] as const

/** Segments of the section that have windows, or a stripe. */
const WINDOWS: ReadonlySet<number> = new Set([5, 7, 13, 15])
const STRIPED = 1

/** The wheel with its spokes and the drum in its middle. */
export function stationWheel(): Solid {
  const solid = new Solid()
  const ring = { from: MIDDLE, along: UP, profile: SECTION, sides: SIDES }
  solid.turned(ring, (side, segment) => {
    if (segment === STRIPED) return side % 45 < 3 ? COOL : STRIPE
    if (WINDOWS.has(segment)) return isLit(side, segment) ? WARM : DARK
    return side % 15 === 0 ? GREY : side % 30 < 15 ? WHITE : PALE
  })
  for (let k = 0; k < 6; k++) {
    const angle = (Math.PI * k) / 3
    const along: Triple = [Math.cos(angle), Math.sin(angle), 0]
    const spoke = [
      [6, 1.9],
      [9, 1.2],
      [39, 1.2],
      [43, 2.2],
    ] as const
    solid.turned({ from: MIDDLE, along, profile: spoke, sides: 10 }, (side) =>
      side === 0 ? COOL : PALE,
    )
  }
  const drum = [
    [-6.5, 3],
    [-6, 6.5],
    [-5, 7.4],
    [-0.4, 7.4],
    [0.4, 7.4],
    [5, 7.4],
    [6, 6.5],
    [6.5, 3],
  ] as const
  return solid.turned({ from: MIDDLE, along: UP, profile: drum, sides: 36 }, (side, segment) => {
    if (segment !== 3) return WHITE
    return side % 3 === 0 ? WARM : GREY
  })
}

/** Some windows are dark, always the same ones. */
function isLit(side: number, segment: number): boolean {
  return (side * 7919 + segment * 104_729) % 11 < 7 && side % 3 !== 0
}

/** The spine, with what stands on it. */
export function stationSpine(): Solid {
  const solid = new Solid()
  const spine = [
    [-40, 0],
    [-39.5, 1.6],
    [-34, 2.4],
    [-30, 2.4],
    [-29, 2.8],
    [-10, 2.8],
    [-9, 2.2],
    [9, 2.2],
    [10, 2.8],
    [29, 2.8],
    [30, 2.4],
    [34, 2.4],
    [39.5, 1.6],
    [40, 0],
  ] as const
  solid.turned({ from: MIDDLE, along: UP, profile: spine, sides: 24 }, (_, segment) =>
    segment === 3 || segment === 9 ? STRIPE : segment === 2 || segment === 10 ? FOIL : WHITE,
  )
  for (const end of [-1, 1]) addEnd(solid, end)
  for (let berth = 0; berth < BERTHS; berth++) addBerth(solid, berth)
  return solid
}

function addEnd(solid: Solid, end: number): void {
  const z = 36 * end
  for (const side of [-1, 1]) {
    solid.beam([0, 0, z], [36.5 * side, 0, z], 0.35, GREY)
    for (let k = 0; k < 5; k++) {
      solid.box([side * (7.4 + 6.2 * k), 0, z], [2.9, 0.08, 4.2], CELL)
    }
    for (let k = 0; k < 3; k++) {
      solid.box([0, side * (5.4 + 5.2 * k), 31 * end], [0.1, 2.4, 3], RADIATOR)
    }
    solid.beam([0, 0, 31 * end], [0, 18.5 * side, 31 * end], 0.25, GREY)
  }
  solid.beam([0, 0, 40 * end], [0, 0, 50 * end], 0.16, GREY)
  solid.box([0, 0, 50.3 * end], [0.4, 0.4, 0.4], end > 0 ? [1, 0.2, 0.15, LIGHT] : COOL)
}

/** Ships that have a berth of their own. */
export const BERTHS = 24

/** Berths about the spine at one place along it. */
const BERTHS_AROUND = 6

/** Places of the berths along the spine. */
const BERTH_ROWS = [13.5, -13.5, 26.5, -26.5]

/** Length of the tube from the axis to a ship's nose [m]. */
const TUBE = 5.2

/** A berth's place along the axis and its direction from it. */
export function berthOf(berth: number): { readonly z: number; readonly angle: number } {
  const row = Math.floor(berth / BERTHS_AROUND) % BERTH_ROWS.length
  const angle = ((berth % BERTHS_AROUND) + 0.5) * ((2 * Math.PI) / BERTHS_AROUND)
  return { z: BERTH_ROWS[row], angle }
}

/** From the axis to the middle of a docked ship [m]. */
export const BERTH_REACH: number = TUBE + 6.9

function addBerth(solid: Solid, berth: number): void {
  const { z, angle } = berthOf(berth)
  const along: Triple = [Math.cos(angle), Math.sin(angle), 0]
  const tube = [
    [2.4, 0.9],
    [4.4, 0.8],
    [4.5, 1.1],
    [TUBE, 1.1],
    [TUBE, 0.6],
  ] as const
  solid.turned({ from: [0, 0, z], along, profile: tube, sides: 12 }, (side, segment) =>
    segment === 2 && side % 3 === 0 ? COOL : GREY,
  )
}
