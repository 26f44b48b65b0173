// Goal: a line runs its tasks in order, some at a time, gives clients turns, and refuses those that
// it has no place for. Method: tasks that the test ends.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forClient } from '../src/client.ts'
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

interface Tasks {
  /** names, in the order in which they begin */
  readonly begun: string[]
  /** promises of the tasks */
  readonly added: Promise<string>[]
  /** of the client that its first letter names */
  readonly add: (...names: readonly string[]) => Promise<void>
  /** Ends all, the first that has begun first. */
  readonly end: () => Promise<void>
}

function tasks(line: WaitingLine): Tasks {
  const begun: string[] = []
  const added: Promise<string>[] = []
  const ends: (() => void)[] = []
  const run = (name: string): Promise<string> =>
    line.run(async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  return {
    begun,
    added,
    add: async (...names) => {
      for (const name of names) {
        const task = forClient(name[0], () => run(name))
        task.catch(() => undefined)
        added.push(task)
      }
      await setImmediate()
    },
    end: async () => {
      for (let next = ends.shift(); next; next = ends.shift()) {
        next()
        await setImmediate()
      }
    },
  }
}

test('clients take turns, and leave a place to others', async () => {
  const line = new WaitingLine('bundles', { at: 3, share: 2, waitingMax: 10 })
  const { begun, add, end } = tasks(line)
  await add('a0', 'a1', 'a2', 'a3', 'a4')
  expect(begun).toEqual(['a0', 'a1'])
  await add('b0', 'b1', 'c0')
  expect(begun).toEqual(['a0', 'a1', 'b0'])
  await end()
  expect(begun.slice(3)).toEqual(['a2', 'b1', 'c0', 'a3', 'a4'])
})

test('a full line refuses the last task of who has most', async () => {
  const line = new WaitingLine('searches', { waitingMax: 4 })
  const { begun, added, add, end } = tasks(line)
  await add('a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'c0', 'a5')
  await end()
  expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2'])
  const outcomes = await Promise.allSettled(added)
  const refused = outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))
  expect(refused).toEqual([3, 4, 7])
})
