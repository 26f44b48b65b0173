/**
 * Law: the pull of a planet and its moons from their barycentre is within 4e-15 m/s² of the pulls
 * of each, for ships anywhere in the sphere of influence of another planet or its moons. Method:
 * random points about every body of all star systems, with the pulls written out.
 */
import { readFileSync } from 'node:fs'
import {
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  NODE_QUANTA,
  STAGE,
  attachEphemeris,
  bodyStates,
  createFields,
  createIntegration,
  createStepScratch,
  ephemerisLength,
  extendEphemeris,
  shipKernel,
  spheresOfInfluence,
  writeStage,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit'
import { expect, it } from 'vitest'

const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
const { share } = createChance(20_264)
const POINTS = 20

/** Fields with fewer rows than bodies: of Sol all but the root's, of Alpha Centauri that of B. */
const cases = [
  ...[0, 8192 * 200, 8192 * 450].map((node) => {
    const start = () => checkpointAtOrBefore(checkpoints, node)
    return { system: solSystem, spheresFrom: solStateJ2000, start, merging: 33 }
  }),
  ...STAR_SYSTEMS.slice(1).map(({ system, startState: start }) => {
    return { system, spheresFrom: start, start, merging: system.id === 'alpha-centauri' ? 1 : 0 }
  }),
]

it.each(cases)('in $system.name', ({ system, spheresFrom, start, merging }) => {
  const { bodies } = system
  const spheres = spheresOfInfluence(system, spheresFrom())
  const state = start()
  const ephemeris = attachEphemeris(system, allocate(ephemerisLength(system, 4)), allocate(2))
  extendEphemeris(createIntegration(system, state), ephemeris, state.node + 2)
  const n = (state.node + 1) * NODE_QUANTA + 1000
  const places = { r: allocate(3 * bodies.length), v: allocate(3 * bodies.length) }
  let worst = 0
  let merged = 0
  for (const field of createFields(ephemeris, shipKernel, allocate)) {
    const { reference } = field
    const [stage] = createStepScratch(bodies.length, allocate).stages
    writeStage(stage, field, n, 0)
    bodyStates(places, ephemeris, reference, n, 0)
    const each = bodies.flatMap(({ gm }, i) => [...places.r.subarray(3 * i, 3 * i + 3), gm])
    const rows = [...stage.table.subarray(0, 4 * stage.numbers[STAGE.bodies])]
    if (rows.length === each.length) continue
    merged++
    for (let i = 0; i < POINTS; i++) {
      const point = pointBetween(bodies[reference].radius, spheres[reference])
      const found = pullOf(rows, point)
      const miss = pullOf(each, point).map((x, axis) => x - found[axis])
      worst = Math.max(worst, Math.hypot(...miss))
    }
  }
  expect(merged).toBe(merging)
  expect(worst).toBeLessThan(4e-15)
})

function allocate(length: number): Float64Array {
  return new Float64Array(length)
}

/** A random point about a body, all distances between two alike. */
function pointBetween(nearest: number, farthest: number): number[] {
  const distance = nearest * (farthest / nearest) ** share()
  const z = 2 * share() - 1
  const angle = 2 * Math.PI * share()
  const across = Math.sqrt(1 - z * z)
  return [distance * across * Math.cos(angle), distance * across * Math.sin(angle), distance * z]
}

/** Of rows of position and GM at a point, less that in the origin, where one row stands. */
function pullOf(rows: readonly number[], point: readonly number[]): number[] {
  const sum = [0, 0, 0]
  for (let at = 0; at < rows.length; at += 4) {
    const [x, y, z, gm] = rows.slice(at, at + 4)
    const there = Math.hypot(x, y, z)
    if (there === 0) continue
    const d = [x - point[0], y - point[1], z - point[2]]
    const here = Math.hypot(...d)
    for (const [axis, place] of [x, y, z].entries()) {
      sum[axis] += gm * (d[axis] / here ** 3 - place / there ** 3)
    }
  }
  return sum
}
