// Law: a hull that was received turns on at its rate, burns at its flow, and points at what it is
// locked on. Method: one record, asked for at several times; the core's own attitude for an aim.
import { createBlock } from '@orrery/protocol'
import {
  COURIER,
  FLYING,
  FREE,
  FROZEN,
  LOCKED,
  POINTINGS,
  SPIN,
  attitudeAt,
  createHulls,
  createStateVector,
} from '@orrery/sim'
import { beforeEach, describe, expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { Scene } from '../../src/scene/scene.ts'
import { createShipSample } from '../../src/scene/world.ts'
import { PAIR, anchorOf, identities, pairAt, readFrame } from './sent-frames.ts'

const START = 640
const NEAR = 1e-6
const SHIPS = [1, 2].map((number) => ({
  number,
  id: `0badcafe-0000-4000-8000-00000000000${number}`,
  name: `Ship ${number}`,
}))
const [{ id }, { id: otherId }] = SHIPS
const rail = { kind: 'lagrange', parent: 0, secondary: 1, point: 4 } as const
const gate = { id: 'gate', name: 'Gate', kind: 'jumpgate', radius: 10, row: 3, rail } as const

let scene: Scene

beforeEach(() => {
  scene = new Scene()
  scene.enter(PAIR, [COURIER])
  const arcs = createBlock('arcs', 2)
  arcs.columns.number.set([1, 2])
  arcs.columns.reference.set([0, 1])
  arcs.columns.start.fill(START)
  // Only the state at the start is known.
  arcs.columns.end.fill(START - 1)
  arcs.columns.position.set([7e6, 1e5, 0, 3e6, 0, 2e5])
  arcs.columns.velocity.set([10, 7500, 100, 5, 1270, -90])
  takeFrame(scene, readFrame(START, [anchorOf(pairAt(0)), ...identities(SHIPS), arcs]))
})

/** Gives the first ship attitude and engine. */
function receive(given: Readonly<Record<string, readonly number[]>>): void {
  const hulls = createBlock('hulls', 1)
  const columns = hulls.columns as unknown as Record<string, Float64Array>
  const usual = { start: [START], attitude: [1, 0, 0, 0], condition: [FLYING], mode: [FREE] }
  for (const [name, values] of Object.entries({ number: [1], aim: [-1], ...usual, ...given })) {
    columns[name].set(values)
  }
  takeFrame(scene, readFrame(START, [hulls]))
}

const state = createShipSample()

function at(seconds: number): typeof state {
  expect(scene.shipAt(state, id, START + 64 * seconds)).toBe(true)
  return state
}

/** The largest difference. */
function off(found: Iterable<number>, expected: readonly number[]): number {
  return Math.max(...[...found].map((value, i) => Math.abs(value - expected[i])))
}

/** Hamilton's product. */
function product(p: readonly number[], q: readonly number[]): number[] {
  const [a, b, c, d] = p
  const [e, f, g, h] = q
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ]
}

const ATTITUDE = [0.5, 0.1, -0.7, 0.5]
const RATE = [0.02, -0.03, 0.06]
/** The attitude after ten seconds at this rate of 0.07 rad/s. */
const TURNED = product(ATTITUDE, [
  Math.cos(0.35),
  ...RATE.map((component) => (Math.sin(0.35) * component) / 0.07),
])

describe('a hull', () => {
  it('turns about its own axes at its rate, also while it spins in place', () => {
    const turning = { attitude: ATTITUDE, rate: RATE, wheels: [0.1, 0.2, -0.3] }
    receive(turning)
    expect(off(at(10).attitude, TURNED)).toBeLessThan(NEAR)
    expect(off(state.rate, RATE)).toBeLessThan(NEAR)
    expect(off(state.wheels, [0.1, 0.2, -0.3])).toBeLessThan(NEAR)
    expect(off(at(0).attitude, ATTITUDE)).toBeLessThan(NEAR)
    receive({ ...turning, mode: [LOCKED], pointing: [SPIN] })
    expect(off(at(10).attitude, TURNED)).toBeLessThan(NEAR)
    receive({ ...turning, rate: [0, 0, 0] })
    expect(off(at(10).attitude, ATTITUDE)).toBeLessThan(NEAR)
  })

  it('burns until its tank is empty, and keeps no throttle then', () => {
    receive({ fuel: [100], flow: [-4], thrustLevel: [0.5] })
    expect([at(10).fuel, state.thrustLevel, state.isFrozen]).toEqual([60, 0.5, false])
    expect([at(25).fuel, state.thrustLevel]).toEqual([0, 0])
    expect([at(60).fuel, state.thrustLevel]).toEqual([0, 0])
  })

  it('of a frozen ship stays as it is', () => {
    receive({ attitude: ATTITUDE, rate: RATE, fuel: [100], flow: [-4], condition: [FROZEN] })
    expect([at(10).fuel, state.isFrozen]).toEqual([100, true])
    expect(off(state.attitude, ATTITUDE)).toBeLessThan(NEAR)
  })
})

describe('a hull that is locked', () => {
  const place = createStateVector()
  const NOTHING = [0, 0, 0, 0, 0, 0]

  /** The attitude that the core gives a pointing and an aim. */
  function due(pointing: number, aim: readonly number[], q = ATTITUDE): number[] {
    const hull = createHulls(1)
    hull.attitudeMode[0] = LOCKED
    hull.pointing[0] = pointing
    hull.attitude.set(q)
    const found = new Float64Array(4)
    attitudeAt(found, hull, 0, 0, at(20), Float64Array.from(aim))
    return [...found]
  }

  it.each(['prograde', 'normal', 'radial_out', 'retrograde'] as const)('on %s', (name) => {
    const pointing = POINTINGS.indexOf(name)
    receive({ attitude: ATTITUDE, mode: [LOCKED], pointing: [pointing] })
    expect(off(at(20).attitude, due(pointing, NOTHING))).toBeLessThan(NEAR)
  })

  const TARGET = POINTINGS.indexOf('target')
  const lock = (aimKind: number, aim: number): void =>
    receive({
      attitude: ATTITUDE,
      mode: [LOCKED],
      pointing: [TARGET],
      aimKind: [aimKind],
      aim: [aim],
    })
  /** What is at `place` as seen from the ship. */
  const seen = (): number[] => {
    at(20)
    return [...place.r.map((x, i) => x - state.r[i]), ...place.v.map((x, i) => x - state.v[i])]
  }
  const time = START + 64 * 20

  it('points at a body, also at its own', () => {
    lock(1, 1)
    scene.bodyAt(place, 'Moon', time, 'Globe')
    expect(off(at(20).attitude, due(TARGET, seen()))).toBeLessThan(NEAR)
    lock(1, 0)
    place.r.fill(0)
    place.v.fill(0)
    expect(off(at(20).attitude, due(TARGET, seen()))).toBeLessThan(NEAR)
    expect(at(20).attitude).not.toEqual(due(TARGET, NOTHING))
  })

  it('points at a gate, as long as there is one', () => {
    lock(2, gate.row)
    scene.placeObjects([gate])
    scene.objectAt(place, gate.id, time, 'Globe')
    expect(off(at(20).attitude, due(TARGET, seen()))).toBeLessThan(NEAR)
    scene.placeObjects([])
    expect(off(at(20).attitude, due(TARGET, NOTHING))).toBeLessThan(NEAR)
  })

  it('points at a ship, also of another body, as long as it is in view', () => {
    lock(3, 2)
    scene.positionAt(place, otherId, time, 'Globe')
    expect(off(at(20).attitude, due(TARGET, seen()))).toBeLessThan(NEAR)
    const left = createBlock('left', 1)
    left.columns.number[0] = 2
    takeFrame(scene, readFrame(START, [left]))
    expect(off(at(20).attitude, due(TARGET, NOTHING))).toBeLessThan(NEAR)
  })

  it.each([
    [1, 2],
    [1, -1],
    [2, 7],
    [3, 99],
  ])('keeps still with kind %d and target %d, which is nothing', (aimKind, aim) => {
    lock(aimKind, aim)
    expect(off(at(20).attitude, due(TARGET, NOTHING))).toBeLessThan(NEAR)
  })
})

describe('positions at once', () => {
  it('are written for as many ships as there is room for', () => {
    const out = new Float64Array(5).fill(1)
    expect(scene.positionsAt(out, START, 'Globe')).toBe(2)
    expect([...out]).toEqual([7e6, 1e5, 0, 1, 1])
  })

  it('include the ship that the client flies, where there is room for it', () => {
    const flown = {
      id: otherId,
      stateAt: (out: typeof state): boolean => {
        out.r.set([1, 2, 3])
        out.reference = 0
        return true
      },
    }
    scene.flown = flown
    const out = new Float64Array(6)
    scene.positionsAt(out, START, 'Globe')
    expect([...out]).toEqual([7e6, 1e5, 0, 1, 2, 3])
    const short = new Float64Array(5)
    scene.positionsAt(short, START, 'Globe')
    expect([...short]).toEqual([7e6, 1e5, 0, 0, 0])
  })
})
