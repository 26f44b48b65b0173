// Law: the vertices of a flight lie on it, no two are farther apart than a small angle, and each
// leg begins where the one before ends.
import { expect, test } from 'vitest'
import {
  type FlownLine,
  LINE_VERTICES_MAX,
  type LegState,
  createLegState,
  sampledLine,
} from '../../src/space/trajectory-line.ts'

const EARTH = 3.986e14
const RADIUS = 7e6
const RATE = Math.sqrt(EARTH / RADIUS ** 3)
const PERIOD = (2 * Math.PI) / RATE

/** As of this year: there, doubles are 15 millionths apart. */
const START = 1.1e11

/** A circle about body 0; from `change` on a straight line past body 1. */
function flight(seconds: number, change: number = Infinity): FlownLine {
  return {
    from: START,
    to: START + 64 * seconds,
    stateAt: (out, time) => {
      const t = (time - START) / 64
      if (!(time >= START && time <= START + 64 * seconds)) return false
      out.reference = t < change ? 0 : 1
      const [c, s] = [Math.cos(RATE * t), Math.sin(RATE * t)]
      const speed = RADIUS * RATE
      if (t < change) {
        out.r.set([RADIUS * c, RADIUS * s, 0])
        out.v.set([-speed * s, speed * c, 0])
      } else {
        out.r.set([1e6, (t - change) * 1000 - 5e6, 0])
        out.v.set([0, 1000, 0])
      }
      return true
    },
  }
}

function stateOf(flown: FlownLine, time: number): LegState {
  const state = createLegState()
  expect(flown.stateAt(state, time)).toBe(true)
  return state
}

test('vertices lie on the flight, from its beginning to its end', () => {
  const flown = flight(2 * PERIOD)
  const line = sampledLine(flown, [])
  expect(line.times[0]).toBe(flown.from)
  expect(line.times[line.count - 1]).toBe(flown.to)
  expect(line.angles[line.count - 1]).toBeCloseTo(4 * Math.PI, 9)
  for (let i = 0; i < line.count; i++) {
    expect(line.positions.slice(3 * i, 3 * i + 3)).toEqual(stateOf(flown, line.times[i]).r)
    expect(line.angles[i] - line.angles[Math.max(i - 1, 0)]).toBeLessThan(0.0151)
  }
})

test('a burn begins and ends at a vertex', () => {
  const bends = [START + 64 * 777.7, START + 64 * 800.3]
  const { times } = sampledLine(flight(PERIOD), bends)
  for (const bend of bends) expect(times).toContain(bend)
})

test('a leg ends and the next begins at the change of the body', () => {
  const change = 3000.25
  const line = sampledLine(flight(PERIOD, change), [])
  const bodies = [...line.bodies.subarray(0, line.count)]
  const first = bodies.indexOf(1)
  expect(bodies.lastIndexOf(0)).toBe(first - 1)
  const changeTime = START + 64 * change
  expect(line.times[first - 1]).toBeLessThanOrEqual(changeTime)
  expect(line.times[first]).toBeGreaterThanOrEqual(changeTime)
  expect(line.times[first] - line.times[first - 1]).toBeLessThan(0.02)
  expect(line.times[line.count - 1]).toBe(START + 64 * PERIOD)
})

test('of a long flight that nothing changes, two revolutions are sampled', () => {
  const line = sampledLine(flight(300 * PERIOD), [])
  expect(line.angles[line.count - 1]).toBeCloseTo(4 * Math.PI, 1)
  expect(line.unbroken).toBe(line.count)
})

test('before a change far ahead there is a gap, then the last revolution', () => {
  const change = START + 64 * 90.3 * PERIOD
  const line = sampledLine(flight(95 * PERIOD), [change])
  expect(line.gaps[line.unbroken - 1]).toBe(1)
  const resumed = line.times[line.unbroken]
  expect((change - resumed) / (64 * PERIOD)).toBeCloseTo(1.2, 2)
  expect(line.times.subarray(0, line.count)).toContain(change)
  expect(line.angles[line.count - 1] - line.lastChange).toBeCloseTo(4 * Math.PI, 1)
})

test('many changes make larger steps, and no more vertices than there is room for', () => {
  const changes = Array.from({ length: 200 }, (_, i) => START + 64 * PERIOD * (i + 1))
  const many = sampledLine(flight(300 * PERIOD), changes.slice(0, 50))
  expect(many.times.subarray(0, many.count)).toContain(changes[49])
  expect(sampledLine(flight(300 * PERIOD), changes).count).toBe(LINE_VERTICES_MAX)
})
