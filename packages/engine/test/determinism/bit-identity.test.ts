/**
 * Law: the same commands at the same indices give the same bits, whatever the tick rate, the
 * time scale, the number of workers, the language of the kernels, the engine, whether the world
 * was stored and restored on the way, and what happens in other star systems. Goal: one scripted
 * world of 300 ships under 500 commands, flown with two values of each of these, and at night with
 * every pair of values, leaves the digests that it leaves on one thread, and those that are kept;
 * so it does beside two systems in which 1,000 ships take 500 commands, and so does at night the
 * same world with ships of two classes. `npx pnpm determinism` flies all combinations, and longer.
 */
import { shipDifferences } from '@orrery/engine/testing'
import { CHROMIUM_RUNS_HERE, openSharedPage } from '@orrery/testkit/browser-page'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callingThread } from './calling-thread.ts'
import { type Chromium, startChromium } from './chromium.ts'
import { flown, flownWorlds } from './flight.ts'
import { goldenDigests, goldenOf, keptSpans } from './golden.ts'
import {
  BRIEF,
  BRIEFEST,
  type Case,
  KERNELS,
  TICK_RATES,
  TIME_SCALES,
  WORKERS,
  caseName,
  courseOf,
  difference,
  flownCase,
  pairwiseCover,
  plainCourse,
  plainFlight,
  smallCover,
  spanOf,
} from './matrix.ts'
import { scriptedCommands } from './script.ts'
import { solarSystem, threads } from './threads.ts'

const SPANS = byTier({ gate: BRIEFEST, night: BRIEF })
/** Of the ways that are compared with the plain one: by day their closing digests alone. */
const SPANS_OF_WAYS = byTier({
  gate: { ...BRIEFEST, longTicks: BRIEFEST.shortTicks },
  night: BRIEF,
})
const cover = byTier({ gate: smallCover, night: pairwiseCover })()

const plain = new Map<number, Awaited<ReturnType<typeof flownWorlds>>>()
const used = new Set([...keptSpans(SPANS), ...cover.map((one) => spanOf(one, SPANS_OF_WAYS))])
for (const seconds of used) {
  plain.set(seconds, await flownWorlds(plainCourse(seconds), solarSystem, callingThread))
}

function casesIn(engine: Case['engine']): [string, Case][] {
  return cover.filter((one) => one.engine === engine).map((one) => [caseName(one), one])
}

it.each([
  ['tickRate', byTier<readonly number[]>({ gate: [0.1, 10], night: TICK_RATES })],
  ['timeScale', byTier<readonly number[]>({ gate: [7.3, 100], night: TIME_SCALES })],
  ['workers', byTier<readonly number[]>({ gate: [1, 3], night: WORKERS })],
  ['kernel', KERNELS],
  ['restored', [true, false]],
  ['company', [true, false]],
] as const)('every %s is flown in Node', (factor, values) => {
  const inNode = cover.filter(({ engine }) => engine === 'node')
  expect(new Set<unknown>(inNode.map((one) => one[factor]))).toEqual(new Set<unknown>(values))
})

describe('the scripted world', () => {
  it('leaves the digests that are kept', async () => {
    const golden = await goldenDigests()
    for (const seconds of keptSpans(SPANS)) {
      expect(goldenOf(plain.get(seconds)!.flown), `${seconds} s`).toEqual(golden[seconds])
    }
  })

  it('is alive to its end', () => {
    const { happened, chasing } = plain.get(SPANS.longTicks)!.flown
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
    const seconds = SPANS.shortTicks
    const commands = scriptedCommands(seconds).slice(1)
    const course = { ...plainCourse(seconds), commands }
    expect(
      difference(await flown(course, solarSystem, callingThread), plain.get(seconds)!.flown),
    ).toBeDefined()
  })

  it.each(casesIn('node'))('%s', async (_, one) => {
    const seconds = spanOf(one, SPANS_OF_WAYS)
    const expected = plain.get(seconds)!
    const course = courseOf(one, seconds)
    const found = await flownWorlds(course, solarSystem, threads(one.workers))
    expect(difference(found.flown, expected.flown)).toBeUndefined()
    expect([...shipDifferences(found.worlds.at(-1)!, expected.worlds[0])]).toEqual([])
    const others = found.worlds.slice(0, -1)
    expect(sum(others.map(({ roster }) => roster.byId.size))).toBe(one.company ? 1000 : 0)
    expect(sum(others.map(({ intake }) => intake.sequence))).toBe(one.company ? 500 : 0)
  })
})

describe.runIf(IS_NIGHT)('with ships of two classes', () => {
  const seconds = SPANS.longTicks
  const mixed = { tickRate: 0.1, timeScale: 100, company: false, mixed: true } as const
  it('is another one, as alive', async () => {
    const found = await plainMixed(seconds)
    expect(found.happened['frozen']).toBeUndefined()
    expect(found.happened['docked']).toBeGreaterThan(5)
    expect(difference(found, plain.get(seconds)!.flown)).toBeDefined()
  })

  it.each<Case>([
    { ...mixed, engine: 'node', workers: 3, kernel: 'wasm', restored: true },
    { ...mixed, engine: 'node', workers: 2, kernel: 'typescript', restored: false },
  ])('$workers workers, $kernel, restored: $restored', async (one) => {
    const found = await flownCase(one, seconds)
    expect(difference(found, await plainMixed(seconds))).toBeUndefined()
  })
})

const plainsMixed = new Map<number, ReturnType<typeof plainFlight>>()

function plainMixed(seconds: number): ReturnType<typeof plainFlight> {
  const found = plainsMixed.get(seconds) ?? plainFlight(seconds, true)
  plainsMixed.set(seconds, found)
  return found
}

describe.skipIf(!CHROMIUM_RUNS_HERE)('in headless Chromium (Linux on x64)', () => {
  let chromium: Chromium
  beforeAll(async () => {
    chromium = await startChromium(openSharedPage)
  })
  afterAll(() => chromium.close())

  it.runIf(IS_NIGHT)('with ships of two classes', async () => {
    const seconds = SPANS.shortTicks
    const found = await chromium.flown({ ...plainCourse(seconds, true), tickRate: 10 })
    expect(difference(found, await plainMixed(seconds))).toBeUndefined()
  })

  it.each(casesIn('chromium'))('%s', async (_, one) => {
    const seconds = spanOf(one, SPANS_OF_WAYS)
    const found = await flownCase(one, seconds, chromium)
    expect(difference(found, plain.get(seconds)!.flown)).toBeUndefined()
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
