/**
 * Law: between beats a target is where its last sighting takes it under constant acceleration,
 * relative to the watcher, for any two reference bodies.
 */
import {
  POINTINGS,
  bodyState,
  createIntegration,
  createState,
  createStateVector,
  extendEphemeris,
  stateBytes,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { extrapolateTarget } from '../../src/ships/sighting.ts'
import { smallStart, smallSystem } from '../ephemeris/small-system.ts'

const [GIANT, INNER] = [1, 2]

it.each([GIANT, INNER])('is carried on from a sighting about body %i', (theirs) => {
  const size = { ships: 256, nodes: 4 }
  const buffer = new SharedArrayBuffer(stateBytes(smallSystem, size))
  const state = createState(buffer, smallSystem, size)
  const { ships, sightings, ephemeris } = state
  extendEphemeris(createIntegration(smallSystem, smallStart()), ephemeris, 3)
  ships.position.set([4e8, 2e7, -3e7])
  ships.velocity.set([100, -7000, 40])
  ships.pointing[0] = POINTINGS.indexOf('target')
  ships.sighting[0] = 0
  const [r, v, a] = [
    [3e7, -2e7, 1e7],
    [900, 800, -700],
    [3, -2, 5],
  ]
  sightings.sightedAt[0] = 640
  sightings.sightedReference[0] = theirs
  sightings.sightedPosition.set(r)
  sightings.sightedVelocity.set(v)
  sightings.sightedAcceleration.set(a)
  const n = 640 + 48
  const aim = new Float64Array(6)
  extrapolateTarget(aim, state, 0, GIANT, n)
  const origin = createStateVector()
  bodyState(origin, ephemeris, theirs, GIANT, n, 0)
  const t = 48 / 64
  for (let i = 0; i < 3; i++) {
    const place = origin.r[i] + r[i] + v[i] * t + (a[i] * t * t) / 2
    expect(aim[i]).toBeCloseTo(place - ships.position[i], 5)
    expect(aim[3 + i]).toBeCloseTo(origin.v[i] + v[i] + a[i] * t - ships.velocity[i], 9)
  }
})
