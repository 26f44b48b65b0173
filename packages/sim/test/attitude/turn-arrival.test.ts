/**
 * Law: a turn ends. From any attitude, rate and wheel momentum, towards any attitude, pointing or
 * rest, with the engine on or off: with fuel the hull is locked in the end; with none it is
 * locked, or let go with a full wheel. On the way no wheel holds more than its capacity, the
 * momentum changes only with the fuel, and the quaternion stays a unit.
 */
import {
  COURIER,
  FREE,
  LOCKED,
  POINTINGS,
  type ShipClass,
  type Hulls,
  TURNING,
  bodyRate,
  settleAttitude,
  wheelSaturation,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { GM } from '../field/two-body-field.ts'
import {
  type Dice,
  angleBetween,
  commitHull,
  dice,
  hullAtRest,
  makeAttitudeStep,
  spinHull,
  stepHull,
  toInertial,
} from '../hull.ts'

const SEED = 20_261_121
/** Random turns of the courier, of random hulls, and the time in which others follow [s]. */
const TURNS = byTier({ gate: 200, night: 2000 })
const HULLS = byTier({ gate: 30, night: 100 })
const SECONDS = byTier({ gate: 20_000, night: 100_000 })

const QUANTA = 16
const H = QUANTA / 64

/** Gravity where the ship is. */
function pull({ position, gravity }: Hulls): void {
  const [x, y, z] = position
  const r2 = x * x + y * y + z * z
  for (let axis = 0; axis < 3; axis++) gravity[axis] = (-GM * position[axis]) / (r2 * Math.sqrt(r2))
}

/** A ship on a random low orbit, turned, spun and loaded at random, that is to turn somewhere. */
function throwHull(ships: Hulls, ship: ShipClass, { unit, direction }: Dice): void {
  const outward = direction(3)
  const across = direction(3)
  const up = across.reduce((sum, x, axis) => sum + x * outward[axis], 0)
  const speed = Math.sqrt(GM / 7e6) * (0.95 + 0.35 * unit())
  const level = Math.sqrt(1 - up * up)
  ships.position.set(outward.map((x) => 7e6 * x))
  ships.velocity.set(across.map((x, axis) => (speed * (x - up * outward[axis])) / level))
  pull(ships)
  ships.attitude.set(direction(4))
  ships.targetAttitude.set(direction(4))
  const spin = 10 ** (-4 + 3.5 * unit())
  const load = unit() < 0.5 ? 0 : 1
  spinHull(
    ships,
    ship,
    direction(3).map((x) => spin * x),
    ship.wheelCapacity.map((capacity) => load * capacity * (2 * unit() - 1)),
  )
  ships.pointing[0] = Math.floor(unit() * POINTINGS.indexOf('loose'))
  ships.attitudeMode[0] = TURNING
  ships.fuel[0] = unit() < 0.3 ? 0 : ship.fuelCapacity
  ships.thrustLevel[0] = unit() < 0.2 ? unit() : 0
}

/** Turns until the mode changes; the ship flies on, and the target with it, by leapfrog. */
function turn(ships: Hulls, ship: ShipClass, random: Dice, secondsMax: number): number {
  const { position, velocity, angularMomentum, fuel } = ships
  const aim = new Float64Array(6)
  const distance = 10 ** (3 + 3 * random.unit())
  aim.set(random.direction(3).map((x) => distance * x))
  aim.set(
    random.direction(3).map((x) => 10 * x),
    3,
  )
  const thrust = (ships.thrustLevel[0] * ship.thrustMax) / (ship.dryMass + fuel[0])
  const nose = [thrust, 0, 0]
  const none = [0, 0, 0]
  for (let steps = 1; steps * H <= secondsMax; steps++) {
    makeAttitudeStep(ships, ship, QUANTA, aim)
    const before = thrust > 0 && fuel[0] > 0 ? toInertial(ships.attitude, nose) : none
    const after = thrust > 0 && fuel[0] > 0 ? toInertial(ships.endAttitude, nose) : none
    for (let axis = 0; axis < 3; axis++) {
      velocity[axis] += 0.5 * H * (ships.gravity[axis] + before[axis])
      position[axis] += H * velocity[axis]
      const gain = -0.5 * H * (before[axis] + after[axis])
      aim[axis] += H * (aim[3 + axis] + 0.5 * gain)
      aim[3 + axis] += gain
    }
    pull(ships)
    for (let axis = 0; axis < 3; axis++) {
      velocity[axis] += 0.5 * H * (ships.gravity[axis] + after[axis])
    }
    const [fuelBefore, x, y, z] = [fuel[0], ...angularMomentum]
    commitHull(ships, ship, QUANTA, aim)
    const kept = angularMomentum[0] === x && angularMomentum[1] === y && angularMomentum[2] === z
    if (fuel[0] === fuelBefore && !kept) throw new Error('Momentum changed at no cost.')
    for (let axis = 0; axis < 3; axis++) {
      if (!(Math.abs(ships.wheelMomentum[axis]) <= ship.wheelCapacity[axis])) {
        throw new Error(`Wheel ${axis} holds ${ships.wheelMomentum[axis]} N m s.`)
      }
    }
    if (ships.attitudeMode[0] !== TURNING) return steps * H
  }
  return Infinity
}

/** Seconds that a random turn took; Infinity when it did not end as it may. */
function turnSeconds(ships: Hulls, ship: ShipClass, random: Dice, secondsMax: number): number {
  throwHull(ships, ship, random)
  const seconds = turn(ships, ship, random, secondsMax)
  const mode = ships.attitudeMode[0]
  const fullest = Math.max(
    ...([0, 1, 2] as const).map((axis) => wheelSaturation(ships.wheelMomentum, 0, axis, ship)),
  )
  const letGo = mode === FREE && fullest === 1 && ships.fuel[0] === 0
  const isUnit = Math.abs(Math.hypot(...ships.attitude) - 1) < 1e-14
  return (mode === LOCKED || letGo) && isUnit ? seconds : Infinity
}

describe(`with seed ${SEED}`, () => {
  it(`ends ${TURNS} random turns of the courier: in 4 minutes with fuel, in 15 with none`, () => {
    const random = dice(SEED)
    const ships = hullAtRest()
    let longestFuelled = 0
    let longest = 0
    for (let i = 0; i < TURNS; i++) {
      const seconds = turnSeconds(ships, COURIER, random, 900)
      longest = Math.max(longest, seconds)
      if (ships.fuel[0] > 0) longestFuelled = Math.max(longestFuelled, seconds)
    }
    expect(longestFuelled).toBeLessThan(240)
    expect(longest).toBeLessThan(900)
    expect(longest).toBeGreaterThan(60)
  })

  it(`ends ${HULLS} random turns of random hulls`, () => {
    const random = dice(SEED + 1)
    const { unit } = random
    const ships = hullAtRest()
    for (let i = 0; i < HULLS; i++) {
      const parts = [0.2 + unit(), 0.2 + unit(), 0.2 + unit()]
      const inertia = parts.map((part, axis) => 1e5 * (part + parts[(axis + 1) % 3]))
      const capacity = inertia.map((moment) => moment * 10 ** (-2.5 + 1.8 * unit()))
      const torque = capacity.map((momentum) => momentum / 10 ** (0.3 + 1.7 * unit()))
      const hull = {
        ...COURIER,
        inertia: inertia as [number, number, number],
        wheelCapacity: capacity as [number, number, number],
        wheelTorque: torque as [number, number, number],
      }
      expect(turnSeconds(ships, hull, random, 20_000)).toBeLessThan(Infinity)
    }
  })
})

it.each([
  { name: 'a tenth of a radian', angle: 0.1, axis: [0, 0.6, 0.8] },
  { name: 'a quarter turn', angle: Math.PI / 2, axis: [0.6, 0, -0.8] },
  { name: 'nearly half a turn', angle: 3.1, axis: [-0.48, 0.6, 0.64] },
])('turns the shortest way: $name, without overshoot', ({ angle, axis }) => {
  const cosine = Math.cos(angle / 2)
  const sine = Math.sin(angle / 2)
  const target = [cosine, ...axis.map((x) => x * sine)]
  for (const sign of [1, -1]) {
    const ships = hullAtRest()
    ships.targetAttitude.set(target.map((x) => sign * x))
    ships.attitudeMode[0] = TURNING
    ships.fuel[0] = 1
    let before = angle
    let way = 0
    while (ships.attitudeMode[0] === TURNING) {
      const attitude = ships.attitude.slice()
      stepHull(ships, COURIER, QUANTA)
      const left = angleBetween(ships.attitude, target)
      expect(left).toBeLessThanOrEqual(before + 1e-12)
      before = left
      way += angleBetween(attitude, ships.attitude)
    }
    expect(ships.attitudeMode[0]).toBe(LOCKED)
    expect(way).toBeLessThan(1.005 * angle)
    expect(before).toBeLessThan(1e-15)
  }
})

it('arrives on no target before the first sighting, but unloads its wheels', () => {
  const ships = hullAtRest()
  ships.position.set([7e6, 0, 0])
  ships.velocity.set([0, 7500, 0])
  ships.pointing[0] = POINTINGS.indexOf('target')
  ships.attitudeMode[0] = TURNING
  ships.fuel[0] = 1
  const load = 0.9 * COURIER.wheelCapacity[0]
  spinHull(ships, COURIER, [0, 0, 0], [load, 0, 0])
  expect(settleAttitude(ships, COURIER, 0, QUANTA, null)).toBe(TURNING)
  expect(ships.wheelMomentum[0]).toBeLessThan(0.5 * load)
  expect(settleAttitude(ships, COURIER, 0, QUANTA, new Float64Array(6))).toBe(LOCKED)
})

it(`turns and tumbles for ${SECONDS} s without changing one bit of the momentum`, () => {
  const random = dice(SEED + 2)
  const ships = hullAtRest()
  const momentum = [900, -700, 1300]
  const rate = new Float64Array(3)
  ships.angularMomentum.set(momentum)
  ships.fuel[0] = 1
  let locked = 0
  for (let seconds = 0; seconds < SECONDS; seconds += H) {
    if (seconds % 150 === 0) {
      ships.targetAttitude.set(random.direction(4))
      ships.pointing[0] = POINTINGS.indexOf(random.unit() < 0.8 ? 'hold' : 'rest')
      ships.attitudeMode[0] = TURNING
    }
    if (seconds % 150 === 120) {
      if (ships.attitudeMode[0] === LOCKED) locked++
      ships.attitudeMode[0] = FREE
    }
    stepHull(ships, COURIER, QUANTA)
    for (let axis = 0; axis < 3; axis++) {
      if (ships.angularMomentum[axis] !== momentum[axis]) throw new Error(`at ${seconds} s`)
    }
  }
  bodyRate(rate, ships.attitude, ships.angularMomentum, ships.wheelMomentum, 0, COURIER.inertia)
  expect(locked).toBeGreaterThan(0.006 * SECONDS)
  expect(ships.fuel[0]).toBe(1)
  expect(Math.hypot(...rate)).toBeLessThan(0.1)
})
