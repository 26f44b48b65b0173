/**
 * Law: engines that go by one plan change their pace at the same lattice index, whatever their tick
 * rates and where they begin, and come to one game time; a plan changes no bit of the world.
 * Method: two engines under simulated clocks.
 */
import type { PlannedPace } from '@orrery/engine'
import { type SystemDigest, addShip } from '@orrery/engine/testing'
import { utcFromLattice } from '@orrery/sim'
import { expect, it } from 'vitest'
import { START_INDEX, globeWorld } from '../globe.ts'
import { type TestOptions, testEngine } from '../test-engine.ts'

const SECOND = 64
const START_MS = utcFromLattice(START_INDEX)

function row(
  number: number,
  { game, utc }: { readonly game: number; readonly utc: number },
  pace: Partial<PlannedPace> = {},
): PlannedPace {
  const { timeScale = 1 } = pace
  const lattice = START_INDEX + Math.round(game * SECOND)
  const settings = { tickRate: 10, adaptiveTickRate: false, goal: null, paused: false }
  return {
    number,
    lattice,
    atMs: START_MS + utc * 1000,
    pace: timeScale,
    timeScale,
    ...settings,
    ...pace,
  }
}

/** An engine that goes by a plan, and the clocks that it had when rows came into force. */
function following(
  options: TestOptions & { readonly behind?: number; readonly isSteered?: boolean },
) {
  const { behind = 0, isSteered = true } = options
  const digests: SystemDigest[] = []
  const changes: { number: number; index: number; paused: boolean; scale: number }[] = []
  const world = globeWorld()
  addShip(world, 'ship', 'Ship')
  const onDigest = (digest: SystemDigest): void => void digests.push(digest)
  const tested = testEngine({ world, onDigest, ...options })
  const { clock, engine } = tested
  clock.jumpUtc(1000 * behind)
  const follow = (rows: readonly PlannedPace[]): void =>
    engine.course.follow(rows, {
      offsetMs: 0,
      isSteered,
      onPace: ({ number }) => {
        const { index, paused, timeScale: scale } = engine.clock()
        changes.push({ number, index: index - START_INDEX, paused, scale })
      },
    })
  return { ...tested, digests, changes, follow }
}

const BEGUN = row(1, { game: 0, utc: 0 })

it('changes at the index of a row, between its ticks, and keeps its time', async () => {
  const rows = [
    BEGUN,
    row(2, { game: 2.53, utc: 2.53 }, { timeScale: 20, tickRate: 3 }),
    row(3, { game: 102.55, utc: 7.531 }, { timeScale: 20, tickRate: 3, paused: true }),
  ]
  for (const tickRate of [10, 3, 0.7]) {
    const { changes, clock, engine, follow } = following({ tickRate, isSteered: false })
    follow([{ ...BEGUN, tickRate }, ...rows.slice(1)])
    await clock.advance(20_000)
    expect(changes).toEqual([
      { number: 1, index: 0, paused: false, scale: 1 },
      { number: 2, index: 162, paused: false, scale: 20 },
      { number: 3, index: 6563, paused: true, scale: 20 },
    ])
    // No part of a quantum is left over: all that stand there show the same.
    expect(engine.clock()).toMatchObject({ index: START_INDEX + 6563, remainder: ['0', '1'] })
    expect(engine.status()).toMatchObject({ paused: true, tickRate: 3, timeScale: 20 })
  }
})

it('is due at the index of a row when the plan is there', async () => {
  const { clock, engine, follow } = following({ tickRate: 1, isSteered: false })
  follow([
    { ...BEGUN, tickRate: 1 },
    row(2, { game: 2.5, utc: 2.5 }, { timeScale: 10, tickRate: 1 }),
  ])
  await clock.advance(2499)
  expect(engine.clock().index).toBe(START_INDEX + 2 * SECOND)
  await clock.advance(1)
  expect(engine.clock().index).toBe(START_INDEX + 2.5 * SECOND)
  await clock.advance(1000)
  expect(engine.clock().index).toBe(START_INDEX + 12.5 * SECOND)
  expect(engine.course.ahead()).toBeCloseTo(0, 6)
})

it('resumes at the moment of a row; one that comes late goes on at once', async () => {
  const rows = [
    BEGUN,
    row(2, { game: 2, utc: 2 }, { paused: true }),
    row(3, { game: 2, utc: 5 }, { timeScale: 4 }),
  ]
  const early = following({ tickRate: 10 })
  early.follow(rows)
  await early.clock.advance(4999)
  expect(early.engine.status()).toMatchObject({ paused: true })
  await early.clock.advance(2)
  expect(early.engine.status()).toMatchObject({ paused: false, timeScale: 4 })
  const late = following({ tickRate: 10, behind: 8 })
  late.follow(rows)
  await late.clock.advance(3000)
  expect(late.changes.map(({ number, index }) => [number, index])).toEqual([
    [1, 0],
    [3, 2 * SECOND],
  ])
})

it('comes to the time of the plan from before and from behind, with the same bits', async () => {
  const plan = [BEGUN, row(2, { game: 30, utc: 30 }, { timeScale: 20 })]
  const ahead = following({ tickRate: 10, behind: -1.5 })
  const behind = following({ tickRate: 7, behind: 1.5 })
  for (const one of [ahead, behind]) one.follow(plan)
  await ahead.clock.advance(150_000)
  await behind.clock.advance(147_000)
  for (const { changes, engine } of [ahead, behind]) {
    expect(changes.map(({ index }) => index)).toEqual([0, 30 * SECOND])
    // Of 20 game seconds each second.
    expect(Math.abs(engine.course.ahead()! / 20)).toBeLessThan(0.03)
  }
  const compared = Math.min(ahead.digests.length, behind.digests.length)
  expect(compared).toBeGreaterThan(10)
  expect(ahead.digests.slice(0, compared)).toEqual(behind.digests.slice(0, compared))
})

it('hurries in a plan, and ends at its moment', async () => {
  const { changes, clock, engine, follow } = following({ tickRate: 2, isSteered: false })
  const goal = START_INDEX + 5002 * SECOND
  follow([
    { ...BEGUN, tickRate: 2 },
    row(2, { game: 2, utc: 2 }, { tickRate: 2, pace: 2000, goal }),
    row(3, { game: 5002, utc: 4.5 }, { tickRate: 2 }),
  ])
  await clock.advance(3000)
  expect(engine.status().effectiveTimeScale).toBe(2000)
  await clock.advance(4500)
  expect(changes.map(({ number, index }) => [number, index / SECOND])).toEqual([
    [1, 0],
    [2, 2],
    [3, 5002],
  ])
  expect(engine.status()).toMatchObject({ goalMs: undefined, effectiveTimeScale: 1 })
  expect(engine.course.ahead()).toBeCloseTo(0, 6)
})

it('goes by a newer plan, and by none once it is forgotten', async () => {
  const { changes, clock, engine, follow } = following({ tickRate: 10 })
  const pause = row(2, { game: 3, utc: 3 }, { paused: true })
  follow([BEGUN, pause])
  await clock.advance(1000)
  // Cancelled before it acts.
  const faster = row(3, { game: 2.5, utc: 2.5 }, { timeScale: 2 })
  follow([BEGUN, pause, faster])
  await clock.advance(2000)
  expect(changes.map(({ number }) => number)).toEqual([1, 3])
  follow([BEGUN, faster, row(4, { game: 8, utc: 5 }, { paused: true })])
  engine.course.forget()
  await clock.advance(5000)
  expect(engine.status()).toMatchObject({ paused: false, timeScale: 2 })
  expect(engine.course.ahead()).toBeUndefined()
})
