/**
 * Law: ticks come when they are due, and late ones are caught up or counted. Goal: the counts of
 * DESIGN under a simulated wall clock: five are caught up, older ones are dropped.
 */
import { expect, it } from 'vitest'
import {
  CATCH_UP_MAX,
  changeSchedule,
  createSchedule,
  dropLateTicks,
  restartSchedule,
  ticksBehind,
  untilNextTickMs,
} from '../../src/time/schedule.ts'

it('waits for the next multiple of the period, without drift', () => {
  const schedule = createSchedule(1000, 10)
  expect(untilNextTickMs(schedule, 1000)).toBe(100)
  schedule.done = 7
  // The eighth tick ended 20 ms late; the ninth is due where it always was.
  expect(untilNextTickMs(schedule, 1720)).toBe(80)
})

it('is not behind before a tick is due, and then by one each period', () => {
  const schedule = createSchedule(0, 10)
  expect([99, 100, 199, 300].map((ms) => ticksBehind(schedule, ms))).toEqual([0, 1, 1, 3])
})

it('drops and counts ticks that are more than five late', () => {
  const schedule = createSchedule(0, 10)
  dropLateTicks(schedule, 500)
  expect(schedule.dropped).toBe(0)
  dropLateTicks(schedule, 10_000)
  expect(schedule.dropped).toBe(100 - CATCH_UP_MAX)
  expect(ticksBehind(schedule, 10_000)).toBe(CATCH_UP_MAX)
})

it('counts dropped ticks through changes of the rate and pauses', () => {
  const schedule = createSchedule(0, 10)
  dropLateTicks(schedule, 1000)
  changeSchedule(schedule, 1000, 1)
  restartSchedule(schedule, 2000, 10)
  expect(schedule.dropped).toBe(5)
  dropLateTicks(schedule, 3000)
  expect(schedule.dropped).toBe(10)
})

it('goes on from the last tick that was due at another rate', () => {
  const schedule = createSchedule(0, 1)
  schedule.done = 5
  changeSchedule(schedule, 5200, 10)
  // Due at 5100 and 5200 ms already.
  expect(ticksBehind(schedule, 5201)).toBe(2)
  schedule.done = 2
  changeSchedule(schedule, 5250, 0.5)
  expect(untilNextTickMs(schedule, 5250)).toBe(1950)
  changeSchedule(schedule, 7000, 100)
  expect(ticksBehind(schedule, 7001)).toBe(CATCH_UP_MAX)
  expect(schedule.dropped).toBe(0)
})

it('counts from zero after a rest', () => {
  const schedule = createSchedule(0, 1)
  restartSchedule(schedule, 5500, 100)
  expect(ticksBehind(schedule, 5509)).toBe(0)
  expect(untilNextTickMs(schedule, 5509)).toBe(1)
})
