// Law: a ship goes on with a seed of hours later, whatever body that is about. Method: a ship among
// two bodies, of which the client keeps fewer hours than have passed.
import { FRAME_BLOCKS, createFrameReader } from '@orrery/protocol'
import { advanceChunk, createMassiveState, createRails } from '@orrery/sim'
import { GM, RADIUS, flightAmong, launchAt } from '@orrery/sim/testing/two-body-field'
import { expect, test } from 'vitest'
import { OwnShip } from '../../src/pilot/own-ship.ts'
import { type Seed, readSeed } from '../../src/pilot/seed-reading.ts'
import { createBodies } from '../../src/scene/bodies.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { frameOf, seedOf } from './sent-frames.ts'

const SLOT = 7
const INDEX = 1000
const LATER = INDEX + 4 * 3600 * 64

const start = createMassiveState(2)
start.x[3] = 3.844e8
start.v[4] = 1018
const globe = { name: 'Globe', parent: -1, gm: GM, radius: RADIUS }
const moon = { name: 'Moon', parent: 0, gm: 4.9e12, radius: 1.7374e6 }
const flight = flightAmong([globe, moon], start, 20_000)
launchAt(flight, SLOT, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 900])
flight.state.ships.shipNumber[SLOT] = 5

function seedAt(index: number, reference: number): Seed {
  advanceChunk(flight, 0, index)
  const [head, own] = seedOf(flight, SLOT, index)
  own.columns.reference[0] = reference
  const { blocks } = createFrameReader(FRAME_BLOCKS).read(frameOf(1, index, [head, own]))
  const seed = readSeed(blocks, { bodies: 2, classes: 1 })
  if (typeof seed !== 'object') throw new Error(`no seed: ${seed}`)
  return seed
}

test('goes on with a seed of hours later, about another body', () => {
  const bodies = createBodies(flight.state.system)
  bodies.anchor(start)
  const { territory, state } = flight
  const own = new OwnShip(
    {
      ephemeris: bodies.ephemeris,
      rails: createRails(),
      territory,
      classes: state.classes,
      reach: (time) => bodies.reach(time),
    },
    seedAt(INDEX, 0),
  )
  const out = createShipSample()
  expect(bodies.reach(LATER)).toBe(true)
  expect(bodies.reach(INDEX)).toBe(false)
  expect(own.reseed(seedAt(LATER, 1))).toBe(0)
  expect(own.stateAt(out, LATER)).toBe(true)
  expect(out.body).toBe('Moon')
})
