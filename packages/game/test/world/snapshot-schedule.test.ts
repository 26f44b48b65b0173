// Law: the world is stored once a minute, and earlier when a start would have to fly more than two
// seconds to catch up, ten seconds apart at least.
import { expect, test } from 'vitest'
import { createSnapshotSchedule } from '../../src/world/snapshot-schedule.ts'

test('a snapshot is due a minute after the last one was begun', () => {
  let nowMs = 5000
  const schedule = createSnapshotSchedule(() => nowMs)
  nowMs = 64_999
  expect(schedule.isDue()).toBe(false)
  nowMs = 65_000
  expect(schedule.isDue()).toBe(true)
  schedule.begun()
  nowMs = 124_999
  expect(schedule.isDue()).toBe(false)
})

test('a snapshot is due after two seconds of flight, ten seconds after the last', () => {
  let nowMs = 0
  const schedule = createSnapshotSchedule(() => nowMs, 1500)
  schedule.flown(499)
  nowMs = 10_000
  expect(schedule.isDue()).toBe(false)
  schedule.flown(1)
  expect(schedule.isDue()).toBe(true)
  schedule.begun()
  schedule.flown(3000)
  nowMs = 19_999
  expect(schedule.isDue()).toBe(false)
  nowMs = 20_000
  expect(schedule.isDue()).toBe(true)
})
