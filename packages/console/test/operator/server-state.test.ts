// Law: the gravest state of a server is the one that its operator reads.
import { expect, test } from 'vitest'
import type { Reading } from '../../src/operator/live.ts'
import { serverState } from '../../src/operator/server-state.ts'

const STOPPED = [{ system_id: 'sol', reason: 'refused' }]

test.each([
  [{ faulted: true, stopped_systems: STOPPED }, 'bad', 'stopped: a tick failed'],
  [{ paused: true, stopped_systems: STOPPED }, 'bad', 'sol: no commands until a restart'],
  [{ paused: true, overloaded: true }, 'fair', 'paused'],
  [{ overloaded: true }, 'bad', 'overloaded'],
  [{}, 'good', 'running'],
] as const)('%o is %s: %s', (found, grade, text) => {
  const world = { paused: false, stopped_systems: [], faulted: false, overloaded: false, ...found }
  expect(serverState({ status: world, load: world } as unknown as Reading)).toEqual({ grade, text })
})
