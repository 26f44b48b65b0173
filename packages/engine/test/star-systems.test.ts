/**
 * Law: a star system depends on its own commands alone. Goal: the scripted solar system, flown
 * beside two systems in which 1,000 ships take 500 commands, leaves the digests and the ships that
 * it leaves alone, in every pair of tick rate, time scale, workers and kernel, and when all are
 * stored and restored on the way.
 */
import { STAR_SYSTEMS, checkpointAtOrBefore, parseCheckpoints } from '@orrery/catalog'
import { shipDifferences, startNode } from '@orrery/engine'
import { spheresOfInfluence } from '@orrery/sim'
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { callingThread } from './determinism/calling-thread.ts'
import { flownWorlds } from './determinism/flight.ts'
import {
  BRIEF,
  type Case,
  caseName,
  courseOf,
  difference,
  pairwiseCover,
  plainCourse,
  spanOf,
} from './determinism/matrix.ts'
import { START_INDEX } from './determinism/script.ts'
import { solarSystem, threads } from './determinism/threads.ts'

// The longest flight takes seconds on a free machine, and a minute on one four times busier.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const company = STAR_SYSTEMS.filter(({ system }) => system.id !== 'sol').map(
  ({ system, home, startState, checkpointsUrl }) => ({
    system,
    territory: { home, spheres: spheresOfInfluence(system, startState()) },
    start: checkpointAtOrBefore(
      parseCheckpoints(readFileSync(checkpointsUrl)),
      startNode(START_INDEX),
    ),
  }),
)

const alone = new Map<number, Awaited<ReturnType<typeof flownWorlds>>>()
for (const seconds of Object.values(BRIEF)) {
  alone.set(seconds, await flownWorlds(plainCourse(seconds), solarSystem, callingThread))
}

const cases = pairwiseCover().filter(({ engine }) => engine === 'node')

it.each(cases.map((one): [string, Case] => [caseName(one), one]))('%s', async (_, one) => {
  const seconds = spanOf(one, BRIEF)
  const plain = alone.get(seconds)!
  const course = { ...courseOf(one, seconds), company }
  const { flown, worlds } = await flownWorlds(course, solarSystem, threads(one.workers))
  expect(difference(flown, plain.flown)).toBeUndefined()
  expect([...shipDifferences(worlds.at(-1)!, plain.worlds[0])]).toEqual([])
  const [others, commands] = worlds
    .slice(0, -1)
    .reduce(
      ([ships, given], { roster, intake }) => [ships + roster.byId.size, given + intake.sequence],
      [0, 0],
    )
  expect([others, commands]).toEqual([1000, 500])
})
