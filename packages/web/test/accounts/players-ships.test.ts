// Law: a player is shown the ship classes it may take, those of new accounts first, with the Δv
// of a full tank and the acceleration that a full ship begins with.
import { expect, test } from 'vitest'
import { type Offers, playersShips } from '../../src/accounts/players-ships.ts'

type Takers = Offers['ship_classes'][number]['takers']

const ZERO = { x: 0, y: 0, z: 0 }

function offer(name: string, takers: Takers): Offers['ship_classes'][number] {
  return {
    name,
    takers,
    title: name.toUpperCase(),
    description: `A ${name}.`,
    price: 7,
    dry_mass: 1_000,
    fuel_capacity: 1_000 * (Math.E - 1),
    thrust_max: 1_000 * Math.E,
    exhaust_velocity: 5_000,
    nose: ZERO,
    inertia: ZERO,
    wheel_capacity: ZERO,
    wheel_torque: ZERO,
    thruster_arm: 1,
    thruster_exhaust_velocity: 1,
    turn_seconds: 1,
    radius: 1,
  }
}

test('a player sees what players may take, and what it can do', () => {
  const ship_classes = [
    offer('probe', ['player']),
    offer('freighter', 'operators'),
    offer('yacht', ['admin']),
    offer('shuttle', 'everyone'),
  ]
  const [first, second, ...others] = playersShips({ new_ships: 'shuttle', ship_classes })
  expect([first?.name, second?.name, others]).toEqual(['shuttle', 'probe', []])
  expect(first).toMatchObject({ title: 'SHUTTLE', description: 'A shuttle.', price: 7 })
  expect(first?.deltaV).toBeCloseTo(5_000, 6)
  expect(first?.acceleration).toBeCloseTo(1, 9)
})
