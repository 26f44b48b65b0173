// Goal: over ten years nothing is lost that nature keeps: energy and angular momentum to 1e-14 by
// their ledgers, the barycentre's velocity to 1e-13 m/s. Method: the checkpoints from J2000 to
// ten years later are nodes of one continuous run (another test remakes spans of it bit for bit);
// each is compared with the first, the barycentre in integers, low parts and all.
import { readFileSync } from 'node:fs'
import { checkpointAtOrBefore, checkpointsUrl, parseCheckpoints, solSystem } from '@orrery/catalog'
import {
  type MassiveState,
  NODE_SECONDS,
  createMassiveState,
  drift,
  massiveInvariants,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { barycentre, distance } from '@orrery/testkit/fixed-point'

const TEN_YEARS_NODES = (10 * 365.25 * 86400) / NODE_SECONDS

const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))

function run(): MassiveState[] {
  const states: MassiveState[] = []
  let node = TEN_YEARS_NODES + checkpoints.spacing
  while (node >= 0) {
    states.unshift(checkpointAtOrBefore(checkpoints, node))
    node = states[0].node - 1
  }
  return states
}

const states = run()
const [start] = states
const reference = massiveInvariants(solSystem, start)

const worst = (values: readonly number[]): number => Math.max(...values.map(Math.abs))

const velocity = ({ v, vLow }: MassiveState): bigint[] => barycentre(solSystem, v, vLow)
const place = ({ x, xLow }: MassiveState): bigint[] => barycentre(solSystem, x, xLow)

describe('ten years of the solar system', () => {
  test('begin at J2000 and leave no gap', () => {
    expect(start.node).toBe(0)
    expect(states.at(-1)!.node).toBeGreaterThan(TEN_YEARS_NODES)
    expect(states.length).toBeGreaterThan(150)
  })

  test('keep energy and angular momentum to 1e-14, by their ledgers', () => {
    const drifts = states.map((state) => drift(massiveInvariants(solSystem, state), reference))
    expect(worst(drifts.map(({ energy }) => energy))).toBeLessThan(1e-14)
    expect(worst(drifts.map(({ momentum }) => momentum))).toBeLessThan(1e-14)
  })

  test('do not keep them without: the terms booked there are a million times larger', () => {
    const { energyWork, angularWork } = createMassiveState(solSystem.bodies.length)
    const drifts = states.map((state) =>
      drift(massiveInvariants(solSystem, { ...state, energyWork, angularWork }), reference),
    )
    expect(worst(drifts.map(({ energy }) => energy))).toBeGreaterThan(1e-10)
    expect(worst(drifts.map(({ momentum }) => momentum))).toBeGreaterThan(1e-10)
  })

  test('keep the velocity of the barycentre to 1e-13 m/s', () => {
    const before = velocity(start)
    expect(worst(states.map((state) => distance(velocity(state), before)))).toBeLessThan(1e-13)
  })

  test('move the barycentre on a straight line, to 10 µm', () => {
    const [from, speed] = [place(start), velocity(start)]
    const misses = states.map((state) => {
      const seconds = BigInt((state.node - start.node) * NODE_SECONDS)
      const line = from.map((value, axis) => value + speed[axis] * seconds)
      return distance(place(state), line)
    })
    expect(worst(misses)).toBeLessThan(1e-5)
  })

  test('would show a nudge of 1 mm/s to Vesta in the barycentre', () => {
    const nudged = { ...start, v: Float64Array.from(start.v) }
    nudged.v[3 * solSystem.bodies.findIndex(({ name }) => name === 'Vesta')] += 1e-3
    expect(distance(velocity(nudged), velocity(start))).toBeGreaterThan(1e-13)
  })
})
