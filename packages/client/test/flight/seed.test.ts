// Goal: of a seed, whatever its bytes, a ship is flown, or not flown for a named reason, and every
// question is answered at once. Method: a real ship's seed as the protocol writes it, changed.
import {
  FRAME_BLOCKS,
  FrameError,
  type WritableBlock,
  createBlock,
  createFrameReader,
} from '@orrery/protocol'
import {
  ACTIVITIES,
  BLOCK_QUANTA,
  FROZEN,
  NODE,
  NODE_DOUBLES,
  PHYSICS,
  PLAN,
  RULES_PER_SHIP,
  TARGETS,
  advanceChunk,
  createRails,
} from '@orrery/sim'
import { GM, launchAt, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { OwnShip } from '../../src/pilot/own-ship.ts'
import { readSeed } from '../../src/pilot/seed-reading.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { frameOf, seedOf } from './sent-frames.ts'

const INDEX = 1000
const SLOT = 7
const SEEDS = byTier({ gate: 100, night: 500 })

const flight = twoBodyFlight(2000)
launchAt(flight, SLOT, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 900])
flight.state.ships.shipNumber[SLOT] = 5
advanceChunk(flight, 0, INDEX)
const { ephemeris } = flight.state

function seedIn(frame: ArrayBuffer, served = FRAME_BLOCKS) {
  return readSeed(createFrameReader(served).read(frame).blocks, { bodies: 1, classes: 1 })
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
  const { territory, state } = flight
  const { classes } = state
  const place = { ephemeris, rails: createRails(), territory, classes, reach: () => true }
  return new OwnShip(place, seed)
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
  ['a class that the server has not', 'shipClass', 1],
  ['a body elsewhere', 'reference', 1],
  ['an aim at nothing', 'aim', -7],
  ['rules that are missing', 'ruleCount', 2],
])('a seed with %s is refused', (_, column, value) => {
  expect(() => seedWith(column, value)).toThrow(FrameError)
})

type Ship = WritableBlock<'seedShip'>['columns']

/** A seed whose ship is changed, with other blocks. */
function changed(change: (ship: Ship) => void, ...blocks: Parameters<typeof frameOf>[2]) {
  const [head, own] = seedOf(flight, SLOT, INDEX)
  change(own.columns)
  return seedIn(frameOf(1, INDEX, [head, own, ...blocks]))
}

/** Whether such a seed is read. */
function isTaken(change: (ship: Ship) => void): boolean {
  try {
    return typeof changed(change) === 'object'
  } catch (error) {
    if (error instanceof FrameError) return false
    throw error
  }
}

const [BODY, RAIL] = [TARGETS.indexOf('body'), TARGETS.indexOf('rail')]
const START = flight.state.ships.stepStart[SLOT]
const END = flight.state.ships.stepEnd[SLOT]

/** A ship with a plan that wakes at an index, and is directed at something. */
const planned = (ship: Ship, wake: number, kind = 0, target = 0): void => {
  ship.activity[0] = ACTIVITIES.indexOf('circularize')
  ship.plan[PLAN.wake] = wake
  ship.plan[PLAN.targetKind] = kind
  ship.plan[PLAN.target] = target
}

/** A ship with an aim of a kind. */
const aimed = (ship: Ship, kind: number, aim: number): void => {
  ship.aimKind[0] = kind
  ship.aim[0] = aim
}

/** The second burn of a plan is in the frame of a body. */
const framed = (nodes: Float64Array, body: number): void => {
  nodes[NODE.body] = -1
  nodes[NODE.body + NODE_DOUBLES] = body
}

test.each<[string, (ship: Ship) => void, boolean]>([
  ['that begins a step', (ship) => ship.stepStart.fill(INDEX), true],
  ['that begins a step between indices', (ship) => ship.stepStart.fill(INDEX - 0.5), false],
  ['that ends its step next', (ship) => ship.stepEnd.fill(INDEX + 1), true],
  ['on the longest step', (ship) => ship.stepEnd.fill(START + BLOCK_QUANTA), true],
  ['on a longer step', (ship) => ship.stepEnd.fill(START + BLOCK_QUANTA + 1), false],
  ['on a step without an end', (ship) => ship.stepEnd.fill(Infinity), false],
  ['with a rule that is due', (ship) => ship.ruleAt.fill(INDEX), false],
  ['with a rule that is due next', (ship) => ship.ruleAt.fill(INDEX + 1), true],
  ['with a rule between indices', (ship) => ship.ruleAt.fill(INDEX + 1.5), false],
  ['without a rule that is due', (ship) => ship.ruleAt.fill(-1), true],
  ['that hits next', (ship) => ship.impactAt.fill(INDEX + 1), true],
  ['that hits between indices', (ship) => ship.impactAt.fill(INDEX + 1.5), false],
  ['whose plan wakes as its step ends', (ship) => planned(ship, END), true],
  ['whose plan wakes before its step ends', (ship) => planned(ship, END - 1), false],
  ['whose plan never wakes', (ship) => planned(ship, Infinity), true],
  ['without a plan', (ship) => (ship.plan[PLAN.wake] = END - 1), true],
  ['whose plan leads to a body', (ship) => planned(ship, END, BODY, 0), true],
  ['whose plan leads to another body', (ship) => planned(ship, END, BODY, 1), false],
  ['whose plan leads to half a body', (ship) => planned(ship, END, BODY, 0.5), false],
  ['whose plan leads to a rail', (ship) => planned(ship, END, RAIL, 7), true],
  ['that aims at a body', (ship) => aimed(ship, BODY, 0), true],
  ['that aims at another body', (ship) => aimed(ship, BODY, 1), false],
  ['that aims at a rail', (ship) => aimed(ship, RAIL, 7), true],
  ['that aims at nothing', (ship) => aimed(ship, BODY, -1), true],
  ['with a burn about its own body', (ship) => framed(ship.burnNodes, -1), true],
  ['with a burn about a body', (ship) => framed(ship.burnNodes, 0), true],
  ['with a burn about another body', (ship) => framed(ship.burnNodes, 1), false],
  ['with a burn about no body', (ship) => framed(ship.burnNodes, -2), false],
  ['with a burn about half a body', (ship) => framed(ship.burnNodes, -0.5), false],
])('a ship %s: %s', (_, change, isSound) => {
  expect(isTaken(change)).toBe(isSound)
})

test('a frozen ship has no step, and stands since a time that has been', () => {
  const frozen = (since: number) =>
    changed((ship) => {
      ship.condition[0] = FROZEN
      ship.stepStart[0] = since
      ship.stepEnd[0] = since - 64
    })
  expect(frozen(INDEX)).toMatchObject({ index: INDEX })
  expect(frozen(64)).toMatchObject({ index: INDEX })
  expect(() => frozen(INDEX + 1)).toThrow(FrameError)
})

test('a ship has the row of its hull, where it has one', () => {
  expect(changed(() => undefined)).toMatchObject({ ship: { number: 5, slot: SLOT } })
  expect(changed((ship) => ship.hullRow.fill(0))).toMatchObject({ ship: { hull: undefined } })
  const row = (ship: Ship): void => {
    ship.hullRow[0] = 1
    ship.hullStep.set([3, 4])
  }
  const seed = changed(row)
  expect(typeof seed === 'object' && [...(seed.ship.hull ?? [])].slice(0, 2)).toEqual([3, 4])
})

/** A seed with two orders, of which the second is given. */
function ordered(change: (orders: WritableBlock<'seedOrders'>['columns']) => void) {
  const orders = createBlock('seedOrders', 2)
  orders.columns.orderIndex.set([INDEX + 64, INDEX + 128])
  change(orders.columns)
  return changed(() => undefined, orders)
}

test('an order may aim at a body that there is, or at a rail, but at no ship', () => {
  const aiming = (kind: number, place: number, ship = 0) =>
    ordered(({ orderTargetKind, orderPlace, orderTargetNumber }) => {
      orderTargetKind[1] = kind
      orderPlace[1] = place
      orderTargetNumber[1] = ship
    })
  const both = [
    { index: INDEX + 64, sequence: 0 },
    { index: INDEX + 128, sequence: 1 },
  ]
  expect(aiming(BODY, 0)).toMatchObject({ ship: { orders: both } })
  expect(aiming(RAIL, 7)).toMatchObject({ ship: { orders: both } })
  expect(aiming(RAIL, 7, 3)).toBe('watching')
  expect(() => aiming(BODY, 1)).toThrow(FrameError)
  expect(() => aiming(BODY, -1)).toThrow(FrameError)
})

test('an order acts at an index, and burns about a body that there is', () => {
  expect(() => ordered(({ orderIndex }) => (orderIndex[1] = INDEX + 0.5))).toThrow(FrameError)
  const burning = (body: number) =>
    ordered(({ orderBurnNodes: nodes }) => framed(nodes.subarray(nodes.length / 2), body))
  expect(burning(0)).toMatchObject({ index: INDEX })
  expect(() => burning(1)).toThrow(FrameError)
})

/** A seed of a ship with rules. */
function ruled(
  count: number,
  change: (
    rules: WritableBlock<'seedRules'>['columns'],
    actions: WritableBlock<'seedActions'>['columns'],
    ship: Ship,
  ) => void = () => undefined,
  ...blocks: Parameters<typeof frameOf>[2]
) {
  const [rules, actions] = [createBlock('seedRules', count), createBlock('seedActions', count)]
  const own = (ship: Ship): void => {
    ship.ruleCount[0] = count
    change(rules.columns, actions.columns, ship)
  }
  return changed(own, rules, actions, ...blocks)
}

test('a ship has all its rules, and no more than it can', () => {
  const seed = ruled(RULES_PER_SHIP, ({ whenValue }) => whenValue.set([5, 6, 7]))
  const rules = [5, 6, 7].map((value) => ({ condition: { whenValue: Float64Array.of(value) } }))
  expect(typeof seed === 'object' && seed.ship.rules.slice(0, 3)).toMatchObject(rules)
  expect(() => ruled(RULES_PER_SHIP + 1)).toThrow(FrameError)
  expect(() => ruled(2, (_rules, _actions, ship) => ship.ruleCount.fill(1))).toThrow(FrameError)
})

test('a rule is about a body that there is, or a rail', () => {
  const about = (kind: number, target: number) =>
    ruled(2, ({ whenTargetKind, whenTarget }) => {
      whenTargetKind[1] = kind
      whenTarget[1] = target
    })
  expect(about(BODY, 0)).toMatchObject({ index: INDEX })
  expect(about(RAIL, 7)).toMatchObject({ index: INDEX })
  expect(() => about(BODY, 1)).toThrow(FrameError)
})

test('a rule keeps its ship from being flown when it may watch another, and is armed', () => {
  const ordering = (armed: number) =>
    ruled(2, (_rules, { orderTargetNumber }, { ruleArmed }) => {
      orderTargetNumber[1] = 3
      ruleArmed[0] = armed
    })
  expect([ordering(0b10), ordering(0b11)]).toEqual(['watching', 'watching'])
  expect(ordering(0b01)).toMatchObject({ index: INDEX })
  const first = (armed: number, ...orders: Parameters<typeof frameOf>[2]) => {
    const order = (
      _rules: unknown,
      { orderTargetNumber }: WritableBlock<'seedActions'>['columns'],
      { ruleArmed }: Ship,
    ): void => {
      orderTargetNumber[0] = 3
      ruleArmed[0] = armed
    }
    return ruled(2, order, ...orders)
  }
  expect(first(0b10)).toMatchObject({ index: INDEX })
  expect(first(0b01, createBlock('seedOrders', 1))).toBe('watching')
  expect(first(0b10, createBlock('seedOrders', 1))).toMatchObject({ index: INDEX })
  const watching = (armed: number) =>
    ruled(2, (_rules, _actions, { ruleArmed, ruleWatching }) => {
      ruleWatching[0] = 0b10
      ruleArmed[0] = armed
    })
  expect(watching(0b11)).toBe('watching')
  expect(watching(0b01)).toMatchObject({ index: INDEX })
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
