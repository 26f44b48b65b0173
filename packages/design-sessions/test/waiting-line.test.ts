// Goal: a line runs its tasks in order, some at a time, and refuses those it has no place for.
// Method: tasks that end when they are told to.
import { expect, test } from 'vitest'
import { WaitingLine } from '../src/waiting-line.ts'

test('tasks run in order; a failure frees its place, a full line refuses', async () => {
  const line = new WaitingLine('bundles', { at: 2, waitingMax: 2 })
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const results = ends.map(({ promise }, i) =>
    line.run(async () => {
      begun.push(i)
      await promise
    }),
  )
  const outcomes = Promise.allSettled(results)
  await expect(results[4]).rejects.toMatchObject({ status: 503 })
  expect(begun).toEqual([0, 1])
  ends[1].reject(new Error('no'))
  await expect(results[1]).rejects.toThrow('no')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await outcomes
  expect(begun).toEqual([0, 1, 2, 3])
  await expect(line.run(async () => 'free')).resolves.toBe('free')
})
