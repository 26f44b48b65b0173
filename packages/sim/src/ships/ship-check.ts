import { IDLE, PLANNED } from '../state/activity.ts'
import { PLAN_DOUBLES, PLAN_NODE_DOUBLES } from '../state/plan-size.ts'
import { RULES_PER_SHIP, START_COLUMNS } from '../state/layout.ts'
import { absorbLanes, createDigest, finish } from '../state/digest.ts'
import type { WorldState } from '../state/state.ts'
import { HULL, commandedAt } from './hull-row.ts'

/** Rows of tables are a matter of memory. */
const CHECKED = START_COLUMNS.filter(({ name }) => name !== 'sighting')

const TARGET_DOUBLES = HULL.end - HULL.target

const VALUES_MAX =
  CHECKED.reduce((sum, { components }) => sum + components, 0) + TARGET_DOUBLES + PLAN_DOUBLES

/** A multiple of two doubles is one of four words. */
const values = new Float64Array(2 * Math.ceil(VALUES_MAX / 2))
const words = new Uint32Array(values.buffer)
const ruleWords = new Uint32Array(4 * RULES_PER_SHIP)
const nodes = new Float64Array(PLAN_NODE_DOUBLES)
const nodeWords = new Uint32Array(nodes.buffer)
const lanes = createDigest()
const START = createDigest()

/**
 * A digest of what a ship is at the start of its open step, with its commanded attitude, plan and
 * rules: the step follows from that, the massive bodies and the ship that it watches.
 *
 * @param out  two words
 */
export function shipCheck(out: Uint32Array, { rules, ships }: WorldState, slot: number): void {
  let count = 0
  for (const { name, components } of CHECKED) {
    const column = ships[name]
    for (let i = components * slot; i < components * (slot + 1); i++) values[count++] = column[i]
  }
  const target = commandedAt(ships, slot)
  for (let i = 0; i < TARGET_DOUBLES; i++) {
    values[count++] = target < 0 ? 0 : ships.hullStep[target + i]
  }
  const plan = PLAN_DOUBLES * slot
  const isIdle = ships.activity[slot] === IDLE
  for (let i = 0; i < PLAN_DOUBLES; i++) values[count++] = isIdle ? 0 : ships.plan[plan + i]
  lanes.set(START)
  absorbLanes(lanes, words, 0, words.length)
  if (ships.activity[slot] === PLANNED) {
    const node = PLAN_NODE_DOUBLES * slot
    nodes.set(ships.burnNodes.subarray(node, node + PLAN_NODE_DOUBLES))
    absorbLanes(lanes, nodeWords, 0, nodeWords.length)
  }
  if (ships.shipClass[slot] > 0) {
    ruleWords.fill(ships.shipClass[slot], 0, 4)
    absorbLanes(lanes, ruleWords, 0, 4)
  }
  const ruleCount = 4 * ships.ruleCount[slot]
  const rule = 4 * ships.ruleRow[slot]
  for (let i = 0; i < ruleCount; i++) ruleWords[i] = rules.ruleDigest[rule + i]
  absorbLanes(lanes, ruleWords, 0, ruleCount)
  finish(lanes)
  out[0] = lanes[0]
  out[1] = lanes[1]
}
