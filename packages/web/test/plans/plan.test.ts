// Law: nodes stand by their times, with what a field shows; an order has those of a plan.
import { orderFault } from '@orrery/client/message-fault'
import { expect, test } from 'vitest'
import { NODES_MAX, type Plan, createPlan, planOrder, sizeOf } from '../../src/plans/plan.ts'

const indices = ({ nodes }: Plan): number[] => nodes.value.map(({ index }) => index)

test('nodes stand by their times, and a new one is chosen', () => {
  const plan = createPlan()
  const late = plan.add(900.4)!
  const soon = plan.add(100)!
  expect(indices(plan)).toEqual([100, 900])
  expect(plan.chosen.value).toBe(soon)
  plan.change(late, { index: 50.6 })
  expect(indices(plan)).toEqual([51, 100])
  expect(plan.nodes.value.map(({ id }) => id)).toEqual([late, soon])
})

test('a Δv has whole millimetres a second', () => {
  const plan = createPlan()
  const id = plan.add(100)!
  plan.change(id, { deltaV: [3.000_4, -4, 1e-5] })
  const [node] = plan.nodes.value
  expect(node.deltaV).toEqual([3, -4, 0])
  expect(sizeOf(node)).toBe(5)
})

test('when the chosen node goes, the first one is chosen', () => {
  const plan = createPlan()
  const [a, b] = [plan.add(1)!, plan.add(2)!]
  plan.remove(b)
  expect(plan.chosen.value).toBe(a)
  plan.remove(a)
  expect([plan.chosen.value, indices(plan)]).toEqual([undefined, []])
})

test('there are sixteen at most', () => {
  const plan = createPlan()
  for (let i = 0; i < NODES_MAX; i++) plan.add(i)
  expect(plan.add(99)).toBeUndefined()
  plan.replace(Array.from({ length: 20 }, (_, i) => ({ index: i, deltaV: [i, 0, 0] })))
  expect(indices(plan)).toHaveLength(NODES_MAX)
})

test('the order has the nodes that burn, and is sound', () => {
  const plan = createPlan()
  expect(planOrder(plan.nodes.value)).toBeUndefined()
  plan.add(640)
  expect(planOrder(plan.nodes.value)).toBeUndefined()
  plan.change(plan.add(6400)!, { deltaV: [10, -2, 0.5] })
  const order = planOrder(plan.nodes.value)!
  const vector = { x: 10, y: -2, z: 0.5 }
  expect(order.nodes).toEqual([{ index: 6400, frame: 'prograde', vector }])
  expect(orderFault(order)).toBeUndefined()
})
