// Law: no arc between two states costs less than its bound; where that is Infinity, none exists.
// Goal: a third of the arcs between low orbits need no solution, as their bounds are above the cost
// of the best. Method: random orbits about the Earth, all arcs of up to twelve revolutions.
import { createArc, createStateVector, lambert, lambertAround } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, it } from 'vitest'
import { ArcBounds } from '../../src/guidance/arc-bounds.ts'

const GM = 3.986004418e14
const PAIRS = 400
const TAU = 2 * Math.PI

const chance = createChance(testSeed('arc bounds'))
const arc = createArc()
const normal = new Float64Array(3)

type State = ReturnType<typeof createStateVector>

/** @param wild  0 for low orbits that are nearly circles, 1 for high and long ones, too */
function state(wild: number): State {
  const { r, v } = createStateVector()
  const radius = 6.6e6 * (1 + (0.2 + 3 * wild) * chance.share())
  const speed = Math.sqrt(GM / radius) * (1 + (0.02 + 0.3 * wild) * (chance.share() - 0.3))
  const [angle, node, tilt] = [TAU * chance.share(), TAU * chance.share(), 0.3 * chance.share()]
  const climb = (0.02 + 0.2 * wild) * (chance.share() - 0.5)
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const [cn, sn] = [Math.cos(node), Math.sin(node)]
  const [ct, st] = [Math.cos(tilt), Math.sin(tilt)]
  const turned = (x: number, y: number): number[] => [
    cn * x - sn * ct * y,
    sn * x + cn * ct * y,
    st * y,
  ]
  r.set(turned(radius * c, radius * s))
  v.set(turned(speed * (climb * c - s), speed * (climb * s + c)))
  return { r, v }
}

function cost(from: State, to: State): number {
  const change = (a: Float64Array, b: Float64Array): number => {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  }
  return change(arc.v1, from.v) + change(to.v, arc.v2)
}

it('no arc costs less than its bound, and most of the dear ones need no solution', () => {
  const bounds = new ArcBounds()
  const arcs = [0, 0]
  const spared = [0, 0]
  for (let pair = 0; pair < PAIRS; pair++) {
    const wild = pair % 2
    const [from, to] = [state(wild), state(wild)]
    const period = TAU * Math.sqrt(6.8e6 ** 3 / GM)
    const seconds = period * (0.05 + 11 * chance.share())
    bounds.begin(from, to, GM, seconds)
    normal.set([0, 0, 1])
    const costs: [cost: number, bound: number][] = []
    for (let revolutions = 0; revolutions <= 12; revolutions++) {
      const bound = bounds.least(revolutions, 1)
      for (const late of [false, true]) {
        const isFound =
          revolutions === 0
            ? !late && lambert(arc, from.r, to.r, GM, seconds, normal)
            : lambertAround(arc, { ...from, r1: from.r, r2: to.r, normal }, GM, seconds, {
                revolutions,
                late,
              })
        if (!isFound) continue
        expect(bound).toBeLessThan(Infinity)
        expect(cost(from, to)).toBeGreaterThanOrEqual(bound)
        costs.push([cost(from, to), bound])
      }
    }
    const best = Math.min(...costs.map(([each]) => each))
    arcs[wild] += costs.length - 1
    spared[wild] += costs.filter(([, bound]) => bound > best).length
  }
  expect(arcs[1]).toBeGreaterThan(PAIRS)
  expect(spared[0] / arcs[0]).toBeGreaterThan(1 / 3)
})
