/**
 * Law: two ships have equal checks when the same trajectory lies ahead of them. Any bit of what a
 * ship starts from changes its check; where tables keep it does not, nor does its open step.
 */
import {
  HULL,
  PLANNED,
  PLAN_NODE_DOUBLES,
  POINTINGS,
  START_COLUMNS,
  STEP_COLUMNS,
  TURNING,
  shipCheck,
  takeHullRow,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SLOT = 7

function flown() {
  const { state } = launched()
  const { rules, ships } = state
  ships.activity[SLOT] = PLANNED
  ships.plan.set([1, 2, 3], (ships.plan.length / state.slots) * SLOT)
  ships.pointing[SLOT] = POINTINGS.indexOf('hold')
  ships.attitudeMode[SLOT] = TURNING
  ships.hullStep.set([1, 2, 3, 4], takeHullRow(ships, SLOT) + HULL.target)
  ships.ruleCount[SLOT] = 2
  ships.ruleRow[SLOT] = 3
  rules.ruleDigest.set([1, 2, 3, 4, 5, 6, 7, 8], 4 * 3)
  return state
}

function launched() {
  const flight = twoBodyFlight(256)
  launchAt(flight, SLOT, [6.8e6, 0, 0], [0, Math.sqrt(GM / 6.8e6), 900], 100)
  return flight
}

const state = flown()
const { rules, ships } = state
const whole = checkOf()

function checkOf(): string {
  const out = new Uint32Array(2)
  shipCheck(out, state, SLOT)
  return out.join(' ')
}

/** The check while one bit of a value is another. */
function checkWithBit(view: ArrayBufferView, value: number, byte: number): string {
  const width = (view as Float64Array).BYTES_PER_ELEMENT
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const at = width * value + byte
  bytes[at] ^= 1
  const check = checkOf()
  bytes[at] ^= 1
  return check
}

it.each(START_COLUMNS.filter(({ name }) => name !== 'sighting'))(
  'changes with every byte of $name',
  ({ name, components }) => {
    const checks = new Set([whole])
    const width = ships[name].BYTES_PER_ELEMENT
    for (let value = components * SLOT; value < components * (SLOT + 1); value++) {
      for (let byte = 0; byte < width; byte++) checks.add(checkWithBit(ships[name], value, byte))
    }
    expect(checks.size).toBe(1 + components * width)
    expect(checkOf()).toBe(whole)
  },
)

it('changes with the plan, the commanded attitude and the rules', () => {
  const plan = (ships.plan.length / state.slots) * SLOT
  const target = takeHullRow(ships, SLOT) + HULL.target
  const checks = [
    checkWithBit(ships.plan, plan, 0),
    checkWithBit(ships.plan, plan + 79, 7),
    checkWithBit(ships.burnNodes, PLAN_NODE_DOUBLES * SLOT, 0),
    checkWithBit(ships.burnNodes, PLAN_NODE_DOUBLES * (SLOT + 1) - 1, 7),
    checkWithBit(ships.hullStep, target, 0),
    checkWithBit(ships.hullStep, target + 3, 7),
    checkWithBit(rules.ruleDigest, 4 * 3, 0),
    checkWithBit(rules.ruleDigest, 4 * 3 + 7, 3),
  ]
  expect(new Set([whole, ...checks]).size).toBe(1 + checks.length)
})

it('is the same in other rows of tables', () => {
  rules.ruleDigest.copyWithin(4 * 40, 4 * 3, 4 * 5)
  ships.ruleRow[SLOT] = 40
  ships.sighting[SLOT] = 5
  expect(checkOf()).toBe(whole)
  ships.ruleRow[SLOT] = 3
  ships.sighting[SLOT] = -1
})

it('is the same whatever the open step is', () => {
  const kept = new Set([
    'hullStep',
    'hullRow',
    'plan',
    'burnNodes',
    'ruleRow',
    'ruleCount',
    'shipClass',
  ])
  for (const { name, components } of STEP_COLUMNS) {
    if (kept.has(name)) continue
    const found = [name, checkWithBit(ships[name], components * SLOT, 0)]
    expect(found).toEqual([name, whole])
  }
})
