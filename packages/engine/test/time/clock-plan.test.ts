/**
 * Law: index(t) is a function of the rows of a plan, whatever the order in which they are read; a
 * newer row cancels older ones from its index on.
 */
import { type PlannedPace, effectivePlan, placeInPlan, plannedIndex } from '@orrery/engine'
import { expect, it } from 'vitest'

/** Quanta of a second. */
const SECOND = 64

/** A row at a second of game time and one of UTC; running at scale 1 where nothing else is said. */
function row(
  number: number,
  at: { readonly game: number; readonly utc: number },
  { pace = 1, paused = false }: Partial<PlannedPace> = {},
): PlannedPace {
  const settings = { tickRate: 10, timeScale: pace, adaptiveTickRate: false, goal: null }
  return { number, lattice: at.game * SECOND, atMs: at.utc * 1000, ...settings, pace, paused }
}

/** The second of game time that some seconds of UTC have. */
function gameAt(rows: readonly PlannedPace[], ...utc: number[]): (number | undefined)[] {
  const plan = effectivePlan(rows)
  return utc.map((seconds) => {
    const index = plannedIndex(plan, seconds * 1000)
    return index === undefined ? undefined : index / SECOND
  })
}

const BEGUN = row(1, { game: 100, utc: 10 }, { pace: 2 })

it('has no index before the first row, and runs at the pace of one', () => {
  expect(gameAt([], 10)).toEqual([undefined])
  expect(gameAt([BEGUN], 9.9, 10, 12.25)).toEqual([undefined, 100, 104.5])
})

it('goes on at another pace from its index on, in whatever order the rows come', () => {
  const faster = row(2, { game: 108, utc: 14 }, { pace: 10 })
  for (const rows of [
    [BEGUN, faster],
    [faster, BEGUN],
  ]) {
    expect(gameAt(rows, 13, 14, 15)).toEqual([106, 108, 118])
  }
})

it('stands in a pause until the moment of the next row', () => {
  const rows = [
    BEGUN,
    row(2, { game: 108, utc: 14 }, { paused: true }),
    row(3, { game: 108, utc: 20 }, { pace: 1 }),
  ]
  expect(gameAt(rows, 14, 19.9, 20, 21)).toEqual([108, 108, 108, 109])
})

it('stands at the first of two pauses, and at the index of a row before its time', () => {
  const pause = row(2, { game: 108, utc: 14 }, { paused: true })
  const twice = [BEGUN, pause, row(3, { game: 110, utc: 15 }, { paused: true })]
  expect(gameAt(twice, 14, 14.9)).toEqual([108, 108])
  expect(placeInPlan(effectivePlan(twice), 108 * SECOND, 14_000).inForce?.number).toBe(2)
  const sameAgain = [BEGUN, pause, row(3, { game: 108, utc: 15 }, { paused: true })]
  expect(gameAt(sameAgain, 14, 14.9, 16)).toEqual([108, 108, 108])
  const late = [BEGUN, row(2, { game: 104, utc: 14 }, { pace: 1 })]
  expect(gameAt(late, 12, 13, 14, 15)).toEqual([104, 104, 104, 105])
})

it('cancels what has not acted by a newer row that acts before it', () => {
  const rows = [
    BEGUN,
    row(2, { game: 120, utc: 20 }, { paused: true }),
    row(3, { game: 130, utc: 25 }),
    row(4, { game: 110, utc: 15 }, { pace: 4 }),
  ]
  expect(effectivePlan(rows).map(({ number }) => number)).toEqual([1, 4])
  expect(gameAt(rows, 14, 15, 20, 25)).toEqual([108, 110, 130, 150])
  expect(effectivePlan(rows.toReversed())).toEqual(effectivePlan(rows))
})

it('says that a clock is elsewhere from a moment on, with what waits written again', () => {
  const waiting = row(2, { game: 120, utc: 20 }, { paused: true })
  // Two seconds late.
  const rows = [
    BEGUN,
    waiting,
    row(3, { game: 106, utc: 14 }, { pace: 2 }),
    { ...waiting, number: 4, atMs: 21_000 },
  ]
  expect(gameAt(rows, 13.9, 14, 20, 21, 30)).toEqual([106, 106, 118, 120, 120])
})

it('puts a row in force by the index of a running clock, by the moment in a pause', () => {
  const plan = effectivePlan([
    BEGUN,
    row(2, { game: 108, utc: 14 }, { paused: true }),
    row(3, { game: 108, utc: 20 }),
  ])
  const inForce = (game: number, utc: number): number | undefined =>
    placeInPlan(plan, game * SECOND, utc * 1000).inForce?.number
  expect(inForce(99, 50)).toBeUndefined()
  // One that is late or early by its clock.
  expect([inForce(107, 50), inForce(100, 0)]).toEqual([1, 1])
  expect([inForce(108, 0), inForce(108, 19.9), inForce(108, 20), inForce(109, 0)]).toEqual([
    2, 2, 3, 3,
  ])
  const { next } = placeInPlan(plan, 107 * SECOND, 0)
  expect(next?.number).toBe(2)
})
