import type { Flight, Method, ShipColumns } from '@orrery/sim'
import {
  type DoubleDouble,
  difference,
  product,
  quotient,
  squareRoot,
  sum,
} from '../../src/math/double-double.ts'
import { makeStep } from '../../src/ships/step.ts'
import { GM, OBLATENESS, launchAt } from '../field/two-body-field.ts'

/** An orbit in the two-body field, begun at its perigee, which is on the node. */
export interface TestOrbit {
  /** distance from the centre [m] */
  readonly perigee: number
  readonly eccentricity: number
  /** to the equator of `OBLATENESS` [rad] */
  readonly inclination: number
}

/** Unit vectors of the equator, to the node and a quarter turn from it. */
const NODE = [0.8, -0.6, 0]
const QUARTER = [0.48, 0.64, -0.6]

/** Period without oblateness [s]. */
export function orbitalPeriod({ perigee, eccentricity }: TestOrbit): number {
  const semiMajorAxis = perigee / (1 - eccentricity)
  return 2 * Math.PI * Math.sqrt(semiMajorAxis ** 3 / GM)
}

/** Launches a ship at the perigee of an orbit. */
export function launchOn(flight: Flight, slot: number, orbit: TestOrbit): void {
  const { perigee, eccentricity, inclination } = orbit
  const speed = Math.sqrt((GM / perigee) * (1 + eccentricity))
  const position = NODE.map((x) => perigee * x)
  const velocity = QUARTER.map(
    (x, axis) =>
      speed * (Math.cos(inclination) * x + Math.sin(inclination) * OBLATENESS.pole[axis]),
  )
  launchAt(flight, slot, position, velocity)
}

/** A passage that begins and ends far out. */
export interface Flyby {
  /** speed infinitely far away [m/s] */
  readonly excessSpeed: number
  /** least distance from the centre [m] */
  readonly nearest: number
  /** distance at which it begins [m] */
  readonly distance: number
}

/** Launches a ship inbound on a flyby. */
export function launchInbound(flight: Flight, slot: number, flyby: Flyby): void {
  const { excessSpeed, nearest, distance } = flyby
  const speedAt = (r: number): number => Math.sqrt(excessSpeed * excessSpeed + (2 * GM) / r)
  const across = (nearest * speedAt(nearest)) / distance
  const inward = Math.sqrt(speedAt(distance) ** 2 - across * across)
  launchAt(flight, slot, [distance, 0, 0], [-inward, 0.6 * across, 0.8 * across])
}

/**
 * Specific orbital energy at the start of a ship's open step, oblateness included, low parts
 * and all: what is left of a difference of two is the integration's, not this sum's.
 */
export function energyOf(flight: Flight, slot: number): DoubleDouble {
  const { ships, system } = flight.state
  const { oblateness } = system.bodies[0]
  const r = exactTriple(ships.position, ships.positionLow, slot)
  const v = exactTriple(ships.velocity, ships.velocityLow, slot)
  const distance = squareRoot(square(r))
  const kinetic = product([0.5, 0], square(v))
  const newton = difference(kinetic, quotient([GM, 0], distance))
  if (!oblateness) return newton
  const { j2, pole, referenceRadius } = oblateness
  const sine = r.reduce((along, [x], axis) => along + x * pole[axis], 0) / distance[0]
  const ratio = referenceRadius / distance[0]
  return sum(newton, [(GM / distance[0]) * j2 * ratio * ratio * (1.5 * sine * sine - 0.5), 0])
}

/** (E − E0)/|E0| of two energies. */
export function relativeChange(now: DoubleDouble, before: DoubleDouble): number {
  return difference(now, before)[0] / Math.abs(before[0])
}

/**
 * Makes one step of one ship by any method of the BAB kind, into its end columns.
 *
 * @param quanta  length; need not be whole, negative runs back
 */
export function stepAlone(
  flight: Flight,
  slot: number,
  method: Method,
  n: number,
  quanta: number,
): void {
  const { state, stepper } = flight
  stepper.slots[0] = slot
  makeStep(stepper, flight.fields[state.ships.reference[slot]], method, 1, n, quanta)
}

/** Makes the end of a coasting ship's step its start. */
export function arrive(ships: ShipColumns, slot: number): void {
  for (let i = 3 * slot; i < 3 * slot + 3; i++) {
    ships.position[i] = ships.endPosition[i]
    ships.positionLow[i] = ships.endPositionLow[i]
    ships.velocity[i] = ships.endVelocity[i]
    ships.velocityLow[i] = ships.endVelocityLow[i]
    ships.gravity[i] = ships.endGravity[i]
  }
}

function exactTriple(high: Float64Array, low: Float32Array, slot: number): DoubleDouble[] {
  return [3 * slot, 3 * slot + 1, 3 * slot + 2].map((i) => sum([high[i], 0], [low[i], 0]))
}

function square(triple: readonly DoubleDouble[]): DoubleDouble {
  return triple.reduce((total, value) => sum(total, product(value, value)), [0, 0] as DoubleDouble)
}
