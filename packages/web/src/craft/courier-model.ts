/**
 * The courier, the first class of a world: nose along +x, engine along -x [m]. Its size follows
 * from its moments of inertia: a cylinder of 14 m and a radius of 3.5 m.
 */
import { LIGHT, type Paint, Solid, type Triple } from './solid.ts'

/** From its middle to its farthest point [m]. */
export const COURIER_RADIUS = 7.5

/** Where its engine's flame begins, on its axis, and the radius there [m]. */
export const NOZZLE: { readonly x: number; readonly radius: number } = { x: -7.1, radius: 1.25 }

const WHITE: Paint = [0.78, 0.8, 0.83, 0.35]
const GREY: Paint = [0.32, 0.34, 0.38, 0.3]
const PALE: Paint = [0.56, 0.58, 0.62, 0.3]
const DARK: Paint = [0.1, 0.11, 0.13, 0.4]
const FOIL: Paint = [0.74, 0.5, 0.16, 0.9]
const STRIPE: Paint = [0.85, 0.3, 0.07, 0.3]
const CELL: Paint = [0.03, 0.07, 0.24, 1]
const RADIATOR: Paint = [0.62, 0.6, 0.56, 0.2]
const BELL: Paint = [0.24, 0.2, 0.18, 0.8]
const GLOW: Paint = [0.5, 0.72, 1, LIGHT]
const WINDOW: Paint = [1, 0.86, 0.55, LIGHT]

const FORE: Triple = [1, 0, 0]

/** @param sides  of what is round: fewer for a ship that is far */
export function courierModel(sides: number): Solid {
  const solid = new Solid()
  addCabin(solid, sides)
  addTanks(solid, sides)
  addEngine(solid, sides)
  addWings(solid)
  if (sides > 8) addTruss(solid)
  return solid
}

function addCabin(solid: Solid, sides: number): void {
  const hull = [
    [2.4, 0.7],
    [2.7, 1.5],
    [3, 1.62],
    [3.35, 1.62],
    [3.6, 1.62],
    [4.9, 1.55],
    [5.9, 1.1],
    [6.4, 0.62],
    [6.4, 0.5],
    [6.9, 0.5],
    [6.9, 0.34],
    [6.75, 0],
  ] as const
  const paints: Readonly<Record<number, Paint>> = { 3: STRIPE, 8: GREY, 9: GREY, 10: DARK }
  solid.turned({ from: [0, 0, 0], along: FORE, profile: hull, sides }, (side, segment) => {
    if (segment === 5 && side % 4 === 1) return WINDOW
    return paints[segment] ?? WHITE
  })
  // A dish, and lamps as ships on the sea have them.
  solid.beam([3, 0, 1.5], [3, 0, 2.6], 0.05, GREY)
  const dish = [
    [0, 0.1],
    [-0.25, 0.75],
    [-0.2, 0.75],
    [0.05, 0],
  ] as const
  solid.turned({ from: [3.1, 0, 2.6], along: FORE, profile: dish, sides }, WHITE)
  solid.box([2.9, 1.66, 0], [0.1, 0.07, 0.1], [1, 0.12, 0.1, LIGHT])
  solid.box([2.9, -1.66, 0], [0.1, 0.07, 0.1], [0.1, 1, 0.25, LIGHT])
}

function addTanks(solid: Solid, sides: number): void {
  const profile = [
    [-2.3, 0],
    [-2.1, 0.55],
    [-1.6, 0.92],
    [1.4, 0.92],
    [1.9, 0.55],
    [2.1, 0],
  ] as const
  for (const [y, z] of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ]) {
    const from: Triple = [-0.4, 1.02 * y, 1.02 * z]
    solid.turned({ from, along: FORE, profile, sides }, (_, segment) =>
      segment === 2 ? FOIL : WHITE,
    )
    solid.beam([-3.4, 0.9 * y, 0.9 * z], [-3.4, 1.6 * y, 1.6 * z], 0.09, GREY)
    solid.box([-3.4, 1.6 * y, 1.6 * z], [0.26, 0.2, 0.2], PALE)
  }
}

function addEngine(solid: Solid, sides: number): void {
  const block = [
    [-4.6, 0.5],
    [-4.4, 1.15],
    [-3.2, 1.3],
    [-2.9, 0.6],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile: block, sides }, GREY)
  const bell = [
    [-7.1, 1.25],
    [-6.4, 1.12],
    [-5.6, 0.85],
    [-5, 0.5],
    [-4.5, 0.42],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile: bell, sides }, BELL)
  // Its inside, and the light that stays in its throat.
  const inside = bell.map(([x, r]) => [x, 0.94 * r] as const).toReversed()
  solid.turned({ from: [0, 0, 0], along: FORE, profile: inside, sides }, DARK)
  const throat = [
    [-5.1, 0.5],
    [-5.1, 0],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile: throat, sides }, GLOW)
}

function addWings(solid: Solid): void {
  for (const sign of [-1, 1]) {
    for (const k of [0, 1, 2]) {
      solid.box([1.9, sign * (2.55 + 1.42 * k), 0], [0.95, 0.66, 0.035], CELL)
    }
    solid.beam([1.9, sign * 0.8, 0], [1.9, sign * 6.1, 0], 0.07, GREY)
    solid.box([-2.1, 0, sign * 3], [1.35, 0.05, 1.15], RADIATOR)
    solid.box([-2.1, 0, sign * 4.2], [1.35, 0.06, 0.06], GREY)
  }
}

function addTruss(solid: Solid): void {
  const half = 0.42
  const bays = 6
  const at = (k: number): number => -3 + (5.6 * k) / bays
  const corners = [
    [half, half],
    [half, -half],
    [-half, -half],
    [-half, half],
  ]
  for (const [i, [y, z]] of corners.entries()) {
    const [y1, z1] = corners[(i + 1) % corners.length]
    solid.beam([at(0), y, z], [at(bays), y, z], 0.06, GREY)
    for (let k = 0; k < bays; k++) {
      solid.beam([at(k), y, z], [at(k + 1), y1, z1], 0.035, GREY)
    }
  }
}
