// Goal: of a seed, whatever its bytes, a ship is flown, or not flown for a named reason, and every
// question is answered at once. Method: a real ship's seed as the protocol writes it, changed.
import { FRAME_BLOCKS, FrameError, createBlock, createFrameReader } from '@orrery/protocol'
import { PHYSICS, TARGETS, advanceChunk, createRails } from '@orrery/sim'
import { GM, launchAt, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, test } from 'vitest'
import { OwnShip } from '../../src/pilot/own-ship.ts'
import { readSeed } from '../../src/pilot/seed-reading.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { frameOf, seedOf } from './teller.ts'

const INDEX = 1000
const SLOT = 7
const SEEDS = 500

const flight = twoBodyFlight(2000)
launchAt(flight, SLOT, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 900])
flight.state.ships.shipNumber[SLOT] = 5
advanceChunk(flight, 0, INDEX)
const { ephemeris } = flight.state

function seedIn(frame: ArrayBuffer, served = FRAME_BLOCKS) {
  return readSeed(createFrameReader(served).read(frame).blocks, 1)
}

/** A seed whose ship, or head, has another value. */
function seedWith(column?: string, value = 0) {
  const blocks = seedOf(flight, SLOT, INDEX)
  for (const { columns } of blocks) {
    const views = columns as unknown as Record<string, Float64Array | undefined>
    if (column !== undefined) views[column]?.fill(value, 0, 1)
  }
  return seedIn(frameOf(1, INDEX, blocks))
}

function ownShip(seed: ReturnType<typeof seedIn>): OwnShip {
  if (typeof seed !== 'object') throw new Error('no seed')
  const { territory, ship } = flight
  return new OwnShip({ ephemeris, rails: createRails(), territory, ship, reach: () => true }, seed)
}

test('a sound seed is flown', () => {
  const state = createShipSample()
  expect(ownShip(seedWith()).stateAt(state, INDEX + 900.5)).toBe(true)
  expect(state).toMatchObject({ body: 'Globe', isFrozen: false })
})

test('of another core, or with another ship in sight, it is not flown, for that reason', () => {
  const physics = seedWith('physics', PHYSICS + 1)
  const layout = seedWith('layout', 1)
  const watching = seedWith('sighting', 0)
  expect([physics, layout, watching]).toEqual(['physics', 'layout', 'watching'])
  expect(seedIn(frameOf(1, INDEX, []))).toBeUndefined()
})

test('a server whose ships have other columns is read but for its seeds', () => {
  const served = FRAME_BLOCKS.map((block) =>
    block.name === 'seedShip' ? { ...block, columns: block.columns.slice(1) } : block,
  )
  const [seed] = seedOf(flight, SLOT, INDEX)
  seed.columns.layout.set([1])
  const { blocks } = createFrameReader(served).read(frameOf(1, INDEX, seedOf(flight, SLOT, INDEX)))
  expect(blocks.map(({ name }) => name)).toEqual(['seed'])
  expect(seedIn(frameOf(1, INDEX, [seed]), served)).toBe('layout')
})

test.each<[string, string, number]>([
  ['no ship', 'number', 6],
  ['a step to come', 'stepStart', INDEX + 1],
  ['a step that is over', 'stepEnd', INDEX],
  ['an endless step', 'stepEnd', 1e12],
  ['an old impact', 'impactAt', 64],
  ['an old rule', 'ruleAt', 64],
  ['no body', 'reference', -7],
  ['a body elsewhere', 'reference', 1],
  ['an aim at nothing', 'aim', -7],
  ['rules that are missing', 'ruleCount', 2],
])('a seed with %s is refused', (_, column, value) => {
  expect(() => seedWith(column, value)).toThrow(FrameError)
})

/** A seed with one order, aimed at a place of a kind, or at a ship by its number. */
function ordered(kind: number, place: number, ship = 0): ReturnType<typeof seedIn> {
  const orders = createBlock('seedOrders', 1)
  orders.columns.orderIndex[0] = INDEX + 64
  orders.columns.orderTargetKind[0] = kind
  orders.columns.orderPlace[0] = place
  orders.columns.orderTargetNumber[0] = ship
  return seedIn(frameOf(1, INDEX, [...seedOf(flight, SLOT, INDEX), orders]))
}

test('an order may aim at a body that there is, or at a rail, but at no ship', () => {
  const body = TARGETS.indexOf('body')
  const rail = TARGETS.length - 1
  expect(ordered(body, 0)).toMatchObject({ ship: { orders: [{ index: INDEX + 64 }] } })
  expect(ordered(rail, 7)).toMatchObject({ ship: { orders: [{ index: INDEX + 64 }] } })
  expect(ordered(rail, 7, 3)).toBe('watching')
  expect(() => ordered(body, 1)).toThrow(FrameError)
  expect(() => ordered(body, -1)).toThrow(FrameError)
})

test('a mutated seed is flown or refused, and answers at once', () => {
  const { below } = createChance(testSeed('mutated seeds'))
  const sound = frameOf(1, INDEX, seedOf(flight, SLOT, INDEX))
  const outcomes = new Map<string, number>()
  for (let i = 0; i < SEEDS; i++) {
    const bytes = new Uint8Array(sound.slice(0))
    // Behind the head of the seed, which names its length.
    for (let k = below(6); k >= 0; k--) bytes[88 + below(bytes.length - 88)] = below(256)
    const outcome = outcomeOf(bytes.buffer)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  expect(outcomes.get('flown')).toBeGreaterThan(0)
  expect(outcomes.get('ERR_FRAME_VALUE')).toBeGreaterThan(0)
})

function outcomeOf(frame: ArrayBuffer): string {
  let seed: ReturnType<typeof seedIn>
  try {
    seed = seedIn(frame)
  } catch (error) {
    if (error instanceof FrameError) return error.code
    throw error
  }
  if (typeof seed !== 'object') return String(seed)
  try {
    // Its pilot takes what is thrown here for a seed that cannot be flown.
    return ownShip(seed).stateAt(createShipSample(), INDEX + 6400.5) ? 'flown' : 'elsewhere'
  } catch {
    return 'failed'
  }
}
