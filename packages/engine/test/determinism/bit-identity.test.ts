/**
 * Law: the same commands at the same indices give the same bits, whatever the tick rate, the
 * time scale, the number of workers, the language of the kernels, the engine, and whether the
 * world was stored and restored on the way. Goal: one scripted world of 300 ships under 500
 * commands, flown in every pair of these, leaves the digests that it leaves on one thread, and
 * those that are kept. Four of them are flown in ../star-systems.test.ts, beside other systems;
 * `npx pnpm determinism` flies all combinations, and longer.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { callingThread } from './calling-thread.ts'
import { CHROMIUM_RUNS_HERE } from '@orrery/testkit/browser-page'
import { type Chromium, startChromium } from './chromium.ts'
import { type Flown, flown } from './flight.ts'
import { goldenDigests, goldenOf, keptSpans } from './golden.ts'
import {
  BRIEF,
  type Case,
  caseName,
  difference,
  flownCase,
  pairwiseCover,
  plainCourse,
  plainFlight,
  spanOf,
} from './matrix.ts'
import { scriptedCommands } from './script.ts'
import { solarSystem } from './threads.ts'

// The longest flight takes seconds on a free machine, and a minute on one four times busier.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const plain = new Map<number, Flown>()
for (const seconds of Object.values(BRIEF)) plain.set(seconds, await plainFlight(seconds))

function casesIn(engine: Case['engine']): [string, Case][] {
  return pairwiseCover()
    .filter((one) => one.engine === engine && !one.company)
    .map((one) => [caseName(one), one])
}

describe('the scripted world', () => {
  it('leaves the digests that are kept', async () => {
    const golden = await goldenDigests()
    for (const seconds of keptSpans(BRIEF)) {
      expect(goldenOf(plain.get(seconds)!), `${seconds} s`).toEqual(golden[seconds])
    }
  })

  it('is alive to its end', () => {
    const { happened, chasing } = plain.get(BRIEF.longTicks)!
    expect(happened['frozen']).toBeUndefined()
    expect(happened['impact']).toBeGreaterThan(0)
    expect(happened['maneuver_phase']).toBeGreaterThan(20)
    expect(happened['maneuver_failed']).toBeGreaterThan(5)
    expect(happened['rule']).toBeGreaterThan(20)
    expect(happened['docked']).toBeGreaterThan(5)
    expect(happened['undocked']).toBeGreaterThan(2)
    expect(chasing).toBeGreaterThan(20)
  })

  it('is another one with one command less', async () => {
    const seconds = BRIEF.shortTicks
    const commands = scriptedCommands(seconds).slice(1)
    const course = { ...plainCourse(seconds), commands }
    expect(
      difference(await flown(course, solarSystem, callingThread), plain.get(seconds)!),
    ).toBeDefined()
  })

  it.each(casesIn('node'))('%s', async (_, one) => {
    const seconds = spanOf(one, BRIEF)
    expect(difference(await flownCase(one, seconds), plain.get(seconds)!)).toBeUndefined()
  })
})

describe.skipIf(!CHROMIUM_RUNS_HERE)('in headless Chromium (Linux on x64)', () => {
  let chromium: Chromium
  beforeAll(async () => {
    chromium = await startChromium()
  })
  afterAll(() => chromium.close())

  it.each(casesIn('chromium'))('%s', async (_, one) => {
    const seconds = spanOf(one, BRIEF)
    const found = await flownCase(one, seconds, chromium)
    expect(difference(found, plain.get(seconds)!)).toBeUndefined()
  })
})
