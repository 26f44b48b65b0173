// Law: an owner is taken for dead when its beats stand still for two seconds of the observer's own
// clock, over six answered looks, or for 0.3 s once its lock is free. What was not observed, as
// while the database was away or its sessions ended, counts for nothing. Method: looks at times
// given by hand.
import type { SystemSeen } from '@orrery/store'
import { beforeEach, expect, test } from 'vitest'
import { type OwnerLife, OwnerWatch } from '../../src/hosting/owner-watch.ts'

let nowMs: number
let watch: OwnerWatch
let owner: SystemSeen

beforeEach(() => {
  nowMs = 0
  watch = new OwnerWatch(() => nowMs)
  owner = {
    system: 'sol',
    fence: 1,
    claim: 'a',
    sequence: 0,
    host: 'h1',
    address: 'http://h1:3000',
    beats: 7,
    wanted: undefined,
    isLockFree: false,
    sessionSeconds: 1000,
  }
})

/** Looks each `everyMs` until the owner is not alive any more, for `lastMs` at most. */
function looked(everyMs: number, lastMs: number): { life: OwnerLife; atMs: number } {
  const beginMs = nowMs
  let life = watch.saw([owner])
  while (life === 'alive' && nowMs - beginMs < lastMs) {
    nowMs += everyMs
    life = watch.saw([owner])
  }
  return { life, atMs: nowMs - beginMs }
}

test('silent after 2 s, and after six looks where they come slowly', () => {
  expect(looked(100, 9000)).toEqual({ life: 'silent', atMs: 2000 })
  owner = { ...owner, beats: 8 }
  expect(looked(500, 9000)).toEqual({ life: 'silent', atMs: 2500 })
})

test('alive while beats rise, however the lock stands', () => {
  watch.saw([owner])
  for (const isLockFree of [false, true, true, true, false, true]) {
    owner = { ...owner, isLockFree, beats: owner.beats + 1 }
    expect(looked(100, 200)).toEqual({ life: 'alive', atMs: 200 })
  }
})

test('ended 0.3 s after its last beat once its lock is free', () => {
  expect(looked(100, 1000).life).toBe('alive')
  owner = { ...owner, beats: 8 }
  expect(looked(100, 200).life).toBe('alive')
  owner = { ...owner, isLockFree: true }
  expect(looked(100, 9000)).toEqual({ life: 'ended', atMs: 100 })
})

test('a lock that was free from the first look, or since a new claim, says nothing', () => {
  owner = { ...owner, isLockFree: true }
  expect(looked(100, 9000)).toEqual({ life: 'silent', atMs: 2000 })
  owner = { ...owner, isLockFree: false, beats: 8 }
  watch.saw([owner])
  owner = { ...owner, isLockFree: true, claim: 'b', beats: 1 }
  expect(looked(100, 9000)).toEqual({ life: 'silent', atMs: 2000 })
})

test('a database that was away begins the observation again, with its locks', () => {
  for (const away of [() => watch.unanswered(), () => (nowMs += 10_000)]) {
    owner = { ...owner, isLockFree: false, beats: owner.beats + 1 }
    expect(looked(100, 1900)).toEqual({ life: 'alive', atMs: 1900 })
    away()
    owner = { ...owner, isLockFree: true }
    expect(looked(100, 9000)).toEqual({ life: 'silent', atMs: 2000 })
  }
})

test('so does a server that is another one, or has restarted, though each look is answered', () => {
  expect(looked(100, 1000)).toEqual({ life: 'alive', atMs: 1000 })
  owner = { ...owner, isLockFree: true, sessionSeconds: 0.05 }
  const beganMs = nowMs
  let life: OwnerLife
  do {
    nowMs += 100
    owner = { ...owner, sessionSeconds: owner.sessionSeconds + 0.1 }
    life = watch.saw([owner])
  } while (life === 'alive')
  expect(life).toBe('silent')
  expect(nowMs - beganMs).toBeGreaterThan(2000)
})

test('without an owner, and without beats, it is said so', () => {
  expect(watch.saw([])).toBe('none')
  const { host: _, ...row } = owner
  expect(watch.saw([{ ...row, host: undefined, fence: 0, beats: 0 }])).toBe('none')
  expect(watch.saw([{ ...row, host: undefined, fence: 3, beats: 0 }])).toBe('tool')
})
