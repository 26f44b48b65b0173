/**
 * Law: a buffer that this code did not lay out is refused by name, never read. Goal: each word of
 * the header that is wrong, another catalogue, and a buffer that is too small. Tables have the
 * widths that the rest of the code counts with.
 */
import {
  ACTIVITIES,
  DOCKED,
  ELEMENT_ERRORS,
  EVENTS_MAX,
  ORDERS_MAX,
  PLANNED,
  PLAN_DOUBLES,
  PLAN_NODE_DOUBLES,
  PLAN_PARAMS,
  RAILS_MAX,
  type StarSystem,
  WATCHERS_MAX,
  attachState,
  createState,
  stateBytes,
} from '@orrery/sim'
import { expect, it } from 'vitest'

const ALONE: StarSystem = {
  id: 'alone',
  name: 'Alone',
  position: [0, 0, 0],
  bodies: [{ name: 'Globe', parent: -1, gm: 4e14, radius: 6.4e6 }],
}
const SIZE = { ships: 300, nodes: 4 }

function laidOut(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(stateBytes(ALONE, SIZE))
  createState(buffer, ALONE, SIZE)
  return buffer
}

it('opens its own buffer, with every row where it was', () => {
  const buffer = laidOut()
  attachState(buffer, ALONE).ships.fuel[299] = 42
  const again = attachState(buffer, ALONE)
  expect(again.slots).toBe(512)
  expect(again.ships.fuel[299]).toBe(42)
})

it('has one value per row and column, or a triple, a quaternion, a key or a hash', () => {
  const { chunk, chunks, events, nextPlans, orders, rails, ships, sightings, slots } = attachState(
    laidOut(),
    ALONE,
  )
  const widths: Record<string, number> = {
    spawnKey: 2,
    attitude: 4,
    hullStep: 15,
    plan: PLAN_DOUBLES,
    nextPlan: PLAN_DOUBLES,
    orderParams: PLAN_PARAMS,
    burnNodes: PLAN_NODE_DOUBLES,
    orderBurnNodes: PLAN_NODE_DOUBLES,
    eventErrors: ELEMENT_ERRORS.length,
    eventNeeds: 2,
    orderAttitude: 4,
    railPole: 3,
    chunkHash: 4,
  }
  const triple = /(?:position|velocity|gravity|acceleration)(?:Low)?$|Momentum|orderRate/i
  for (const [table, rows] of [
    [ships, slots],
    [chunk, chunks],
    [nextPlans, chunks],
    [orders, ORDERS_MAX],
    [sightings, WATCHERS_MAX],
    [rails, RAILS_MAX],
    [events, EVENTS_MAX],
  ] as const) {
    for (const [name, view] of Object.entries(table)) {
      expect(view.length / rows, `column ${name}`).toBe(widths[name] ?? (triple.test(name) ? 3 : 1))
    }
  }
})

it('has the codes of docked ships and of plans in its list', () => {
  expect(ACTIVITIES[DOCKED]).toBe('docked')
  expect(ACTIVITIES[PLANNED]).toBe('plan')
})

it('refuses a header with any wrong word, another catalogue, and no header at all', () => {
  for (let word = 0; word < 6; word++) {
    const buffer = laidOut()
    new Int32Array(buffer)[word] += 1
    expect(() => attachState(buffer, ALONE), `word ${word}`).toThrow(
      expect.objectContaining({ code: 'ERR_STATE_HEADER' }),
    )
  }
  const empty = new SharedArrayBuffer(4096)
  for (const [buffer, system] of [
    [laidOut(), { ...ALONE, bodies: [...ALONE.bodies, ...ALONE.bodies] }],
    [laidOut(), { ...ALONE, bodies: [] }],
    [empty, ALONE],
  ] as const) {
    expect(() => attachState(buffer, system)).toThrow(
      expect.objectContaining({ code: 'ERR_STATE_HEADER' }),
    )
  }
})

it('refuses to lay a world out in less room than it needs', () => {
  const small = new SharedArrayBuffer(stateBytes(ALONE, SIZE) - 8)
  expect(() => createState(small, ALONE, SIZE)).toThrow(
    expect.objectContaining({ name: 'SimError', code: 'ERR_STATE_SIZE' }),
  )
})
