/**
 * Law: a plan whose burns cannot take place is refused before it waits, with the burn named, and
 * nothing has changed. Goal: each fault that the intake knows, one quantum from a plan that is
 * taken.
 */
import { addShip } from '@orrery/engine/testing'
import {
  type BurnNode,
  CONTROL_QUANTA,
  COURIER,
  NODES_MAX,
  type PointedBurn,
  QUANTA_PER_SECOND,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { requireSoundRule } from '../../src/orders/rule.ts'
import { relaunch } from '../busy-world.ts'
import { START_INDEX, globeWorld } from '../globe.ts'

const world = globeWorld()
const entry = addShip(world, 'pilot', 'Pilot')
relaunch(world, entry.slot, 0, [7e6, 0, 0], [0, 7546, 0])

/** The index at which an order acts, and the first at which a burn of its plan can begin. */
const ACTS_AT = START_INDEX + CONTROL_QUANTA
const EARLIEST = ACTS_AT + CONTROL_QUANTA + COURIER.turnSeconds * QUANTA_PER_SECOND

const first = burn({ index: EARLIEST })
/** 416 quanta of full thrust. */
const FIRST_QUANTA = 416

function burn(more: Partial<Extract<BurnNode, { frame: unknown }>>): BurnNode {
  const timed = { index: EARLIEST, anchor: 'start', throttle: 1 } as const
  return { ...timed, frame: 'prograde', vector: [65, 0, 0], ...more }
}

function held(more: Partial<PointedBurn>): BurnNode {
  return { index: EARLIEST, anchor: 'start', throttle: 1, pointing: 'prograde', ...more }
}

function order(nodes: readonly BurnNode[], timeout = 1e6): () => unknown {
  const maneuver = { maneuver: 'plan', timeout, params: [], nodes } as const
  return () => steerShip(world, entry, { maneuver }, START_INDEX, START_INDEX)
}

const after = (quanta: number, more = {}): BurnNode =>
  burn({ index: EARLIEST + FIRST_QUANTA + quanta, ...more })
const turned = COURIER.turnSeconds * QUANTA_PER_SECOND

it.each<{ what: string; bad: readonly BurnNode[]; says: RegExp; good: readonly BurnNode[] }>([
  {
    what: 'in the past',
    bad: [burn({ index: START_INDEX - 64 })],
    says: /^nodes\.0: .* 1\.125 s before the order acts/,
    good: [first],
  },
  {
    what: 'before the hull can turn to it',
    bad: [burn({ index: EARLIEST - 1 })],
    says: /^nodes\.0: .* after the order acts, and the hull takes up to 100 s/,
    good: [first],
  },
  {
    what: 'whose center is late enough, and its start is not',
    bad: [burn({ index: EARLIEST + 207, anchor: 'center' })],
    says: /^nodes\.0: /,
    good: [burn({ index: EARLIEST + 208, anchor: 'center' })],
  },
  {
    what: 'over the one before',
    bad: [first, after(-1)],
    says: /^nodes\.1: .* 0\.015625 s before nodes\.0 ends/,
    good: [first, after(turned)],
  },
  {
    what: 'sooner after the one before than the hull turns',
    bad: [first, after(turned - 1)],
    says: /^nodes\.1: .* after nodes\.0 ends, and the hull takes up to 100 s/,
    good: [first, after(turned)],
  },
  {
    what: 'in the same pointing, over the one before',
    bad: [held({ seconds: 10 }), held({ seconds: 1, index: EARLIEST + 639 })],
    says: /^nodes\.1: .* before nodes\.0 ends/,
    good: [held({ seconds: 10 }), held({ seconds: 1, index: EARLIEST + 640 })],
  },
  {
    what: 'beyond the fuel',
    bad: [first, after(turned, { vector: [9667, 0, 0], throttle: 0.5 })],
    says: /^nodes\.1: .* all fuel or more/,
    good: [first, after(turned, { vector: [9666, 0, 0], throttle: 0.5 })],
  },
  {
    what: 'longer than the fuel lasts',
    bad: [held({ seconds: 800 })],
    says: /^nodes\.0: .* all fuel or more/,
    good: [held({ seconds: 799 })],
  },
  {
    what: 'into the ground between two burns',
    bad: [burn({ vector: [-400, 0, 0] }), burn({ index: EARLIEST + 64 * 2000 })],
    says: /^nodes\.1: the ship is .* km in the ground of Globe/,
    good: [burn({ vector: [-100, 0, 0] }), burn({ index: EARLIEST + 64 * 2000 })],
  },
  {
    what: 'into the ground after the last',
    bad: [burn({ vector: [-400, 0, 0] })],
    says: /^nodes\.0: the orbit after the burn is .* km in the ground of Globe/,
    good: [burn({ vector: [-100, 0, 0] })],
  },
])('refuses a burn $what', ({ bad, says, good }) => {
  const { pending, sequence } = world.intake
  const before = [...pending]
  const refusal = { code: 'ERR_CONTROL', message: expect.stringMatching(says) as string }
  expect(order(bad)).toThrow(expect.objectContaining(refusal))
  expect(world.intake.pending).toEqual(before)
  expect(world.intake.sequence).toBe(sequence)
  expect(order(good)).not.toThrow()
  world.intake.pending = []
  world.intake.lastOfShip.clear()
})

it('refuses a burn that ends after the time of the order', () => {
  const nodes = [burn({ index: ACTS_AT + 3600 * QUANTA_PER_SECOND - FIRST_QUANTA })]
  const refusal = { code: 'ERR_CONTROL', message: expect.stringMatching(/^nodes\.0: /) as string }
  expect(order(nodes, 3599.9)).toThrow(expect.objectContaining(refusal))
  expect(order(nodes, 3600)).not.toThrow()
})

it.each<{ what: string; nodes: readonly unknown[] }>([
  { what: 'no burn', nodes: [] },
  { what: 'too many burns', nodes: Array.from({ length: NODES_MAX + 1 }, () => first) },
  { what: 'a Δv that is no number', nodes: [burn({ vector: [NaN, 0, 0] })] },
  { what: 'an infinite Δv', nodes: [burn({ vector: [0, Infinity, 0] })] },
  { what: 'no Δv', nodes: [burn({ vector: [0, 0, 0] })] },
  { what: 'a Δv that takes no fuel', nodes: [burn({ vector: [1e-12, 0, 0] })] },
  { what: 'a Δv whose square is 0', nodes: [burn({ vector: [1e-200, 0, 0] })] },
  { what: 'a Δv whose square is infinite', nodes: [burn({ vector: [1e200, 0, 0] })] },
  { what: 'an index between two', nodes: [burn({ index: EARLIEST + 0.5 })] },
  { what: 'a throttle of 0', nodes: [burn({ throttle: 0 })] },
  { what: 'a throttle above 1', nodes: [burn({ throttle: 1.01 })] },
  { what: 'a body that is none', nodes: [burn({ body: 1 })] },
  { what: 'a Δv and a duration', nodes: [held({ deltaV: 1, seconds: 1 })] },
  { what: 'neither', nodes: [held({})] },
  { what: 'a negative duration', nodes: [held({ seconds: -1 })] },
])('refuses a plan with $what', ({ nodes }) => {
  expect(order(nodes as BurnNode[])).toThrow(expect.objectContaining({ code: 'ERR_CONTROL' }))
})

it('refuses a rule that orders a plan', () => {
  const maneuver = { maneuver: 'plan', timeout: 1e6, params: [], nodes: [first] } as const
  const rule = { ruleId: 'r', name: 'R', once: true, armed: true, source: '' }
  const condition = { kind: 'fuel', below: 0.5 } as const
  const check = (): void => requireSoundRule({ ...rule, condition, order: { maneuver } })
  expect(check).toThrow(expect.objectContaining({ code: 'ERR_RULE' }))
})
