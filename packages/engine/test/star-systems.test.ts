/**
 * Law: a star system depends on its own commands alone. Goal: the scripted solar system, flown
 * beside two systems in which 1,000 ships take 500 commands, leaves the digests and the ships that
 * it leaves alone, at every tick rate, time scale and number of workers, with either kernel, and
 * when all are stored and restored on the way. `npx pnpm determinism` flies more of them.
 */
import { shipDifferences } from '@orrery/engine'
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
import { solarSystem, threads } from './determinism/threads.ts'

// The longest flight takes seconds on a free machine, and a minute on one four times busier.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const alone = new Map<number, Awaited<ReturnType<typeof flownWorlds>>>()
for (const seconds of Object.values(BRIEF)) {
  alone.set(seconds, await flownWorlds(plainCourse(seconds), solarSystem, callingThread))
}

const cases = pairwiseCover().filter(({ company }) => company)

it.each(cases.map((one): [string, Case] => [caseName(one), one]))('%s', async (_, one) => {
  const seconds = spanOf(one, BRIEF)
  const plain = alone.get(seconds)!
  const course = courseOf(one, seconds)
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
