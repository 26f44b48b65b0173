/**
 * Law: a step is the longest power of two of quanta that keeps both bounds at its start for every
 * body, and at its end for the body with the shortest local dynamical time and for the one that
 * is passed fastest. Method: random places and speeds among three bodies, against the rule
 * written out body by body; the bodies that bind at the end are counted, so that each is tried.
 */
import { attachEphemeris, ephemerisLength } from '@orrery/sim'
import { expect, it } from 'vitest'
import type { Surroundings } from '../../src/ships/flight.ts'
import { shipKernel } from '../../src/field/ship-kernel.ts'
import { gatherMotion } from '../../src/ships/step.ts'
import { listNearBodies } from '../../src/ships/near-bodies.ts'
import { stepQuanta } from '../../src/ships/step-rule.ts'
import { createStepScratch } from '../../src/field/step-scratch.ts'
import { hullAtRest, dice } from '../hull.ts'
import { smallSystem } from '../ephemeris/small-system.ts'

const SEED = 64
const DYNAMICAL = 0.05
const PASSAGE = 0.04
const CAP = 4096
const CASES = 3000

const ships = hullAtRest()
const around = surroundings()
const scratch = createStepScratch(3, (length) => new Float64Array(length))

/** Ratios of a step to both time scales of one body, at most 1 within the bounds. */
interface Ratios {
  readonly dynamical: number
  readonly passage: number
}

it('keeps both bounds at the start of all bodies and at the end of the two that bind', () => {
  const random = dice(SEED)
  const binding = { start: 0, heavyEnd: 0, closeEnd: 0, shortest: 0 }
  for (let i = 0; i < CASES; i++) {
    scatter(random)
    const perSecond = [0, 1, 2].map((body) => ratios(body, 1, 0))
    const heavy = greatest(perSecond.map(({ dynamical }) => dynamical))
    const close = greatest(perSecond.map(({ passage }) => passage))
    let expected = CAP
    for (; expected > 4; expected /= 2) {
      const h = expected / 64
      const within = (body: number, at: number): boolean => {
        const { dynamical, passage } = ratios(body, h, at)
        return dynamical <= 1 && passage <= 1
      }
      if (!perSecond.every(({ dynamical, passage }) => Math.max(dynamical, passage) * h <= 1)) {
        binding.start++
      } else if (!within(heavy, h)) {
        if (within(close, h)) binding.heavyEnd++
      } else if (!within(close, h)) binding.closeEnd++
      else break
    }
    if (expected === 4) binding.shortest++
    expect(longest(CAP), `case ${i}`).toBe(expected)
  }
  for (const [bound, count] of Object.entries(binding))
    expect(count, `bound at ${bound}`).toBeGreaterThan(20)
})

it('is never longer than its cap', () => {
  scatter(dice(SEED + 1))
  ships.position.set([1e14, 0, 0])
  expect(longest(4096)).toBe(4096)
  expect(longest(128)).toBe(128)
})

/** What the rule gives for the ship. */
function longest(cap: number): number {
  gatherMotion(scratch, ships, Int32Array.of(0), 1)
  const table = [0, 1, 2].flatMap((body) => [
    ...around.bodies.r.subarray(3 * body, 3 * body + 3),
    around.gm[body],
    ...around.bodies.v.subarray(3 * body, 3 * body + 3),
    0,
  ])
  around.table.set(table)
  shipKernel.bounds(scratch, 1, around.near, listNearBodies(around, scratch, 1))
  return stepQuanta(scratch, 0, around, cap)
}

/** A ship at rest among three bodies, each of whose bounds a common step may just keep or miss. */
function scatter({ unit, direction }: ReturnType<typeof dice>): void {
  const { bodies, gm } = around
  const seconds = 2 ** Math.floor(9 * unit() - 3)
  const ratio = (): number => (unit() < 0.5 ? 0.85 + 0.2 * unit() : 0.8 * unit())
  ships.position.fill(0)
  ships.gravity.fill(0)
  for (let body = 0; body < 3; body++) {
    const distance = 10 ** (6 + 4 * unit())
    const speed = (ratio() * PASSAGE * distance) / seconds
    const towards = direction(3)
    gm[body] = distance ** 3 * ((ratio() * DYNAMICAL) / seconds) ** 2
    const course = (unit() < 0.5 ? -1 : 1) * speed
    for (let axis = 0; axis < 3; axis++) {
      bodies.r[3 * body + axis] = distance * towards[axis]
      bodies.v[3 * body + axis] = course * towards[axis]
      ships.gravity[axis] += (gm[body] / distance ** 2) * towards[axis]
    }
  }
}

function surroundings(): Surroundings {
  const nodes = new Float64Array(ephemerisLength(smallSystem, 2))
  const ephemeris = attachEphemeris(smallSystem, nodes, new Float64Array(2))
  const bodies = { r: new Float64Array(9), v: new Float64Array(9) }
  const [gm, table] = [new Float64Array(3), new Float64Array(24)]
  const [near, nearBodies] = [new Float64Array(24), new Int32Array(3)]
  return { ephemeris, reference: 0, index: 0, bodies, gm, table, near, nearBodies, clear2: 0 }
}

/** A step of h seconds over 0.05 √(r³/GM) and over 0.04 r/v of one body, `at` seconds on. */
function ratios(body: number, h: number, at: number): Ratios {
  const { position, velocity, gravity } = ships
  const { bodies, gm } = around
  const axes = [0, 1, 2]
  const course = axes.map((axis) => velocity[axis] - bodies.v[3 * body + axis])
  const place = axes.map(
    (axis) =>
      position[axis] -
      bodies.r[3 * body + axis] +
      at * course[axis] +
      (at * at * gravity[axis]) / 2,
  )
  const distance = Math.hypot(...place)
  const speed = Math.hypot(...course.map((x, axis) => x + at * gravity[axis]))
  return {
    dynamical: h / (DYNAMICAL * Math.sqrt(distance ** 3 / gm[body])),
    passage: (h * speed) / (PASSAGE * distance),
  }
}

function greatest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}
