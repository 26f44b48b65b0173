// Law: a plan that cannot be flown says so in a sentence that names the node. Method: an engine
// whose burns can be reckoned by hand.
import { expect, test } from 'vitest'
import { type PlanGround, planFault, plannedBurns } from '../../src/plans/plan-burns.ts'
import type { PlanNode } from '../../src/plans/plan.ts'

/** Exhaust of 3,000 m/s: half of its mass is fuel. */
const ENGINE = { mass: 20_000, fuel: 10_000, deltaV: 3000 * Math.LN2, acceleration: 10 }

const GROUND: PlanGround = {
  now: 0,
  engine: ENGINE,
  turnSeconds: 100,
  forecast: { marks: [{ kind: 'impact', index: 64 * 9000, body: 'Moon' }] },
  isDocked: false,
  isFrozen: false,
}

const node = (seconds: number, prograde: number): PlanNode => {
  return { id: seconds, index: 64 * seconds, deltaV: [prograde, 0, 0] }
}

test('a burn takes as long as its fuel, half of it before its node', () => {
  const [first, second] = plannedBurns([node(1000, 300), node(2000, 300)], ENGINE)
  // m ve (1 - exp(-Δv / ve)) / F, with less mass the second time.
  const seconds = (20_000 * 3000 * (1 - Math.exp(-0.1))) / 200_000
  expect((first.end - first.begin) / 64).toBeCloseTo(seconds, 9)
  expect((first.end + first.begin) / 2).toBe(64_000)
  expect((second.end - second.begin) / 64).toBeCloseTo(seconds * Math.exp(-0.1), 9)
  expect(second.left).toBeCloseTo(ENGINE.deltaV - 300, 9)
})

test('a plan without fault has none', () => {
  expect(planFault([node(1000, 300), node(2000, -300)], GROUND)).toBeUndefined()
})

test.each<[string, readonly PlanNode[], Partial<PlanGround>, string]>([
  ['destroyed', [node(1000, 1)], { isFrozen: true }, 'The ship is destroyed: it flies no plan.'],
  [
    'docked',
    [node(1000, 1)],
    { isDocked: true },
    'The ship is docked: undock before a plan is flown.',
  ],
  ['unknown', [], { engine: undefined }, 'Nothing is known of the ship yet.'],
  ['empty', [], {}, 'Add a node first.'],
  ['without Δv', [node(1000, 1), node(2000, 0)], {}, 'Node 2 has no Δv yet.'],
  ['past', [node(-1, 1)], {}, 'Node 1 is in the past: its burn would have begun already.'],
  [
    'far',
    [node(17 * 86_400, 1)],
    {},
    'Node 1 is more than 16 days ahead: nothing is forecast so far.',
  ],
  [
    'soon',
    [node(50, 1e-6)],
    {},
    'Node 1 begins in 50.00 s, and the hull takes up to 100.0 s to turn.',
  ],
  [
    'close',
    [node(1000, 1e-6), node(1050, 1e-6)],
    {},
    'Node 2 begins 50.00 s after the one before, and the hull takes up to 100.0 s to turn.',
  ],
  ['on another', [node(1000, 300), node(1010, 300)], {}, 'Node 2 begins before node 1 ends.'],
  [
    'beyond the fuel',
    [node(1000, 2000), node(5000, -100)],
    {},
    'Node 2 takes more fuel than there is: only 79.44 m/s are left.',
  ],
  [
    'without any fuel',
    [node(1000, 1)],
    { engine: { ...ENGINE, mass: 10_000, fuel: 0, deltaV: 0 } },
    'Node 1 takes more fuel than there is: nothing is left.',
  ],
  [
    'in the ground',
    [node(1000, 1), node(9500, 1)],
    {},
    'The ship runs into the Moon before node 2.',
  ],
])('%s', (_, nodes, ground, sentence) => {
  expect(planFault(nodes, { ...GROUND, ...ground })).toBe(sentence)
})
