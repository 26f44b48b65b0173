/**
 * Hulls of ship classes without a model of their own, made of their figures: a cylinder by its
 * moments of inertia, with the tanks, engines and wings that such a ship needs. Nose along +x.
 */
import type { ShipClass } from '@orrery/client/flight'
import type { COURIER_RADIUS as CourierRadius } from './courier-model.ts'
import type { LIGHT as Light, Paint, Solid, Triple } from './solid.ts'

// Types alone are imported: values would take three.js out of the page's first script.
const COURIER_RADIUS: typeof CourierRadius = 7.5
const LIGHT: typeof Light = 2

const WHITE: Paint = [0.78, 0.8, 0.83, 0.35]
const GREY: Paint = [0.32, 0.34, 0.38, 0.3]
const DARK: Paint = [0.1, 0.11, 0.13, 0.4]
const FOIL: Paint = [0.74, 0.5, 0.16, 0.9]
const STRIPE: Paint = [0.1, 0.42, 0.62, 0.3]
const HAZARD: Paint = [0.86, 0.62, 0.06, 0.3]
const CELL: Paint = [0.03, 0.07, 0.24, 1]
const BELL: Paint = [0.24, 0.2, 0.18, 0.8]
const GLOW: Paint = [0.5, 0.72, 1, LIGHT]
const WINDOW: Paint = [1, 0.86, 0.55, LIGHT]
const CARGO: readonly Paint[] = [
  [0.55, 0.2, 0.13, 0.2],
  [0.2, 0.36, 0.3, 0.2],
  [0.5, 0.48, 0.42, 0.2],
]

const FORE: Triple = [1, 0, 0]

/** A lighter ship has no crew [kg]. */
const CREWED_MASS = 2_000
/** A heavier one carries freight [kg]. */
const FREIGHT_MASS = 30_000
/** An engine that gives more acceleration tears wings off [m/s²]. */
const WINGED_ACCELERATION = 5
/** A ship with more pushes others [m/s²]. */
const PUSHING_ACCELERATION = 25
/** Of one engine [N]. */
const ENGINE_THRUST = 300_000
/** Share of the full mass: more fuel has tanks outside. */
const OUTER_TANKS_SHARE = 0.5

/** What a class looks like, in the size of a courier. */
export interface ClassHull {
  /** @param sides  of what is round */
  readonly draw: (solid: Solid, sides: number) => Solid
  /** where the flame begins on the axis, and its radius there */
  readonly nozzle: { readonly x: number; readonly radius: number }
}

/** Lengths along the axis and radii [m], where the farthest point is that of a courier. */
interface Plan {
  readonly half: number
  readonly radius: number
  readonly isCrewed: boolean
  readonly hasFreight: boolean
  readonly hasWings: boolean
  readonly pushes: boolean
  readonly hasOuterTanks: boolean
  readonly engines: number
  /** of a tank of fuel, as a share of the hull's length */
  readonly tankShare: number
  readonly bell: number
}

/** What a hull is made of. */
export type Figures = Pick<ShipClass, 'dryMass' | 'fuelCapacity' | 'thrustMax' | 'inertia'>

export function classHull(figures: Figures): ClassHull {
  const plan = planOf(figures)
  const { half, bell, engines } = plan
  return {
    draw: (solid, sides) => drawHull(solid, plan, sides),
    nozzle: { x: -half, radius: bell * (engines > 1 ? 2 : 1) },
  }
}

function planOf({ dryMass, fuelCapacity, thrustMax, inertia }: Figures): Plan {
  const [around, across] = inertia
  const ownRadius = Math.sqrt((2 * around) / dryMass)
  const ownHalf = Math.sqrt(Math.max((3 * across) / dryMass - 0.75 * ownRadius ** 2, 0))
  // Neither a needle nor a plate, whatever the figures.
  const slenderness = Math.min(Math.max(ownHalf / ownRadius, 1), 5)
  const radius = (0.94 * COURIER_RADIUS) / Math.hypot(1, slenderness)
  const acceleration = thrustMax / (dryMass + fuelCapacity)
  const engines = Math.min(Math.max(Math.round(thrustMax / ENGINE_THRUST), 1), 4)
  const fuelShare = fuelCapacity / (dryMass + fuelCapacity)
  const width = Math.min(0.22 + 0.16 * Math.log10(1 + acceleration), 0.6)
  return {
    half: slenderness * radius,
    radius,
    isCrewed: dryMass > CREWED_MASS,
    hasFreight: dryMass > FREIGHT_MASS,
    hasWings: acceleration < WINGED_ACCELERATION,
    pushes: acceleration > PUSHING_ACCELERATION,
    hasOuterTanks: fuelShare > OUTER_TANKS_SHARE,
    engines,
    tankShare: fuelShare,
    bell: radius * width * (engines > 1 ? 0.8 : 1),
  }
}

function drawHull(solid: Solid, plan: Plan, sides: number): Solid {
  addEngines(solid, plan, sides)
  if (plan.hasOuterTanks) addSpine(solid, plan, sides)
  else addFuselage(solid, plan, sides)
  if (plan.hasFreight) addFreight(solid, plan)
  if (plan.hasWings) addWings(solid, plan)
  if (plan.pushes) addBumper(solid, plan, sides)
  if (!plan.isCrewed) addInstruments(solid, plan, sides)
  return solid
}

/** Where the part between engines and nose ends, aft and fore. */
function body({ half }: Plan): readonly [number, number] {
  return [-0.62 * half, 0.5 * half]
}

function addEngines(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius, engines, bell } = plan
  const [aft] = body(plan)
  const block = [
    [aft - 0.12 * half, 0],
    [aft - 0.12 * half, 0.5 * radius],
    [aft - 0.06 * half, 0.8 * radius],
    [aft, 0.8 * radius],
    [aft, 0],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile: block, sides }, GREY)
  const throat = aft - 0.04 * half
  const outside = [
    [-half, bell],
    [0.6 * throat - 0.4 * half, 0.8 * bell],
    [throat, 0.3 * bell],
  ] as const
  const inside = outside.map(([x, r]) => [x, 0.93 * r] as const).toReversed()
  const light = [
    [0.75 * throat - 0.25 * half, 0],
    [0.75 * throat - 0.25 * half, 0.5 * bell],
  ] as const
  for (let k = 0; k < engines; k++) {
    const out = engines > 1 ? 0.5 * radius : 0
    const angle = (2 * Math.PI * k) / engines
    const from: Triple = [0, out * Math.cos(angle), out * Math.sin(angle)]
    solid.turned({ from, along: FORE, profile: outside, sides }, BELL)
    solid.turned({ from, along: FORE, profile: inside, sides }, DARK)
    solid.turned({ from, along: FORE, profile: light, sides }, GLOW)
  }
}

/** How far from the axis a part may go at a place on it. */
function reachAt(x: number): number {
  return Math.sqrt((0.95 * COURIER_RADIUS) ** 2 - x * x)
}

/** A smooth hull around its tank, with a band of windows in front. */
function addFuselage(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius } = plan
  const [aft, fore] = body(plan)
  const profile = [
    [aft, 0.8 * radius],
    [aft + 0.08 * half, radius],
    [0.35 * fore, radius],
    [0.5 * fore, radius],
    [fore, 0.94 * radius],
    [fore + 0.12 * half, 0.84 * radius],
    [0.86 * half, 0.5 * radius],
    [0.97 * half, 0.2 * radius],
    [half, 0],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile, sides }, (side, segment) => {
    if (segment === 4) return side % 4 === 1 ? WINDOW : WHITE
    return { 2: STRIPE, 7: GREY }[segment] ?? WHITE
  })
  const tip = Math.min(1.8 * radius, reachAt(aft))
  const [centre, width] = [(tip + 0.9 * radius) / 2, (tip - 0.9 * radius) / 2]
  for (const sign of [-1, 1]) {
    solid.box([aft + 0.2 * half, sign * centre, 0], [0.2 * half, width, 0.06], STRIPE)
    solid.box([aft + 0.12 * half, 0, sign * centre], [0.12 * half, 0.05, 0.8 * width], GREY)
  }
}

/** A beam with tanks around it, and in front a cabin or a case of instruments. */
function addSpine(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius, isCrewed, hasFreight, tankShare } = plan
  const [aft, fore] = body(plan)
  for (const [y, z] of CORNERS) {
    const at = 0.16 * radius
    solid.beam([aft, y * at, z * at], [fore, y * at, z * at], 0.05 * radius, GREY)
  }
  const end = hasFreight ? 0 : aft + Math.min(1.3 * tankShare, 0.95) * (fore - aft)
  const tank = 0.46 * radius
  const rings = Math.max(Math.floor((end - aft) / (2.2 * tank)), 1)
  const length = (end - aft) / rings
  const profile = [
    [0.02 * length, 0],
    [0.08 * length, 0.6 * tank],
    [0.2 * length, tank],
    [0.8 * length, tank],
    [0.92 * length, 0.6 * tank],
    [0.98 * length, 0],
  ] as const
  for (let ring = 0; ring < rings; ring++) {
    for (const [y, z] of CORNERS) {
      const from: Triple = [aft + ring * length, 0.5 * y * radius, 0.5 * z * radius]
      solid.turned({ from, along: FORE, profile, sides }, (_, segment) =>
        segment === 2 ? FOIL : WHITE,
      )
    }
  }
  if (isCrewed) addCabin(solid, plan, sides)
  else solid.box([fore + 0.1 * half, 0, 0], [0.22 * half, 0.5 * radius, 0.5 * radius], FOIL)
}

const CORNERS = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
] as const

function addCabin(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius, hasFreight } = plan
  const [, fore] = body(plan)
  // People are as large in a large ship.
  const wide = (hasFreight ? 0.55 : 0.8) * radius
  const profile = [
    [fore - 0.04 * half, 0],
    [fore, 0.85 * wide],
    [fore + 0.06 * half, wide],
    [fore + 0.2 * half, wide],
    [fore + 0.28 * half, 0.9 * wide],
    [0.88 * half, 0.6 * wide],
    [0.92 * half, 0.35 * wide],
    [0.98 * half, 0.35 * wide],
    [0.96 * half, 0],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile, sides }, (side, segment) => {
    if (segment === 3) return side % 4 === 1 ? WINDOW : WHITE
    return { 2: hasFreight ? STRIPE : HAZARD, 6: GREY, 7: DARK }[segment] ?? WHITE
  })
}

/** Containers in rows between tanks and cabin. */
function addFreight(solid: Solid, plan: Plan): void {
  const { radius } = plan
  const [, fore] = body(plan)
  const rows = 3
  const length = fore / rows
  for (let row = 0; row < rows; row++) {
    for (const [k, [y, z]] of CORNERS.entries()) {
      const centre: Triple = [(row + 0.5) * length, 0.5 * y * radius, 0.5 * z * radius]
      const half: Triple = [0.46 * length, 0.31 * radius, 0.31 * radius]
      solid.box(centre, half, CARGO[(2 * row + k) % CARGO.length])
    }
  }
}

function addWings(solid: Solid, plan: Plan): void {
  const { half, radius } = plan
  const [, fore] = body(plan)
  // A hull without freight carries them in front of its middle.
  const x = plan.hasFreight ? -0.1 * half : 0.1 * fore
  const reach = reachAt(0.4 * half) - 1.1 * radius
  const panel = reach / 3
  for (const sign of [-1, 1]) {
    solid.beam([x, 0.2 * sign * radius, 0], [x, sign * (1.1 * radius + reach), 0], 0.06, GREY)
    for (const k of [0, 1, 2]) {
      const y = sign * (1.1 * radius + (k + 0.5) * panel)
      solid.box([x, y, 0], [0.24 * half, 0.46 * panel, 0.03], CELL)
    }
  }
}

/** A ring on arms before the nose, to push with. */
function addBumper(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius } = plan
  const [, fore] = body(plan)
  const ring = [
    [0.84 * half, 0.86 * radius],
    [0.84 * half, radius],
    [0.96 * half, radius],
    [0.96 * half, 0.86 * radius],
    [0.84 * half, 0.86 * radius],
  ] as const
  solid.turned({ from: [0, 0, 0], along: FORE, profile: ring, sides }, (side) =>
    side % 2 === 0 ? HAZARD : DARK,
  )
  for (const [y, z] of CORNERS) {
    const at = 0.66 * radius
    solid.beam([fore - 0.1 * half, y * at, z * at], [0.86 * half, y * at, z * at], 0.09, GREY)
  }
}

/** A dish that looks ahead, and a mast. */
function addInstruments(solid: Solid, plan: Plan, sides: number): void {
  const { half, radius } = plan
  const [, fore] = body(plan)
  const dish = [
    [0, 0.1 * radius],
    [0.14 * half, 0.7 * radius],
    [0.16 * half, 0.7 * radius],
    [0.04 * half, 0],
  ] as const
  const from: Triple = [fore + 0.32 * half, 0, 0]
  solid.turned({ from, along: FORE, profile: dish, sides }, WHITE)
  solid.beam(from, [half, 0, 0], 0.08, GREY)
  const top = Math.min(2 * radius, 0.9 * reachAt(fore))
  solid.beam([fore, 0, 0.4 * radius], [fore, 0, top], 0.07, GREY)
  solid.box([fore, 0, top], [0.25, 0.25, 0.25], FOIL)
}
