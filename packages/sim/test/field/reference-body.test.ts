/**
 * Law: a ship takes a body as its reference inside 0.9 of the body's sphere of influence and
 * leaves it outside 1.1, to the parent or straight to a sibling; its place does not change.
 */
import {
  advanceChunk,
  bodyState,
  createFlight,
  createIntegration,
  createState,
  createStateVector,
  extendEphemeris,
  stateBytes,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { smallStart, smallSystem } from '../ephemeris/small-system.ts'
import { launchAt } from './two-body-field.ts'

const [GIANT, INNER, OUTER] = [1, 2, 3]
const SPHERE = 1e7
const SPHERES = Float64Array.of(Infinity, 2e10, SPHERE, SPHERE, 1e9)

it.each([
  { from: GIANT, near: INNER, share: 0.85, to: INNER },
  { from: GIANT, near: INNER, share: 0.95, to: GIANT },
  { from: INNER, near: INNER, share: 1.05, to: INNER },
  { from: INNER, near: INNER, share: 1.15, to: GIANT },
  { from: INNER, near: OUTER, share: 0.85, to: OUTER },
  { from: INNER, near: OUTER, share: 0.95, to: GIANT },
])('from $from at $share of the sphere of $near goes to $to', ({ from, near, share, to }) => {
  const size = { ships: 256, nodes: 4 }
  const buffer = new SharedArrayBuffer(stateBytes(smallSystem, size))
  const state = createState(buffer, smallSystem, size)
  const { ships, ephemeris } = state
  extendEphemeris(createIntegration(smallSystem, smallStart()), ephemeris, 3)
  const flight = createFlight(state, { home: GIANT, spheres: SPHERES })
  const moon = createStateVector()
  bodyState(moon, ephemeris, near, from, 0, 0)
  ships.reference[0] = from
  launchAt(flight, 0, [moon.r[0], moon.r[1], moon.r[2] + share * SPHERE], [...moon.v])
  const end = ships.stepEnd[0]
  const [place, course] = [ships.endPosition.slice(0, 3), ships.endVelocity.slice(0, 3)]
  advanceChunk(flight, 0, end)
  expect(ships.reference[0]).toBe(to)
  const shift = createStateVector()
  bodyState(shift, ephemeris, from, to, end, 0)
  for (let axis = 0; axis < 3; axis++) {
    expect(Math.abs(place[axis] + shift.r[axis] - ships.position[axis])).toBeLessThan(1e-6)
    expect(Math.abs(course[axis] + shift.v[axis] - ships.velocity[axis])).toBeLessThan(1e-11)
  }
})
