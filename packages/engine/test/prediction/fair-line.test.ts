// Law: one owner that asks for much keeps no other waiting for more than one piece of work, and
// takes no place from others.
import { expect, it } from 'vitest'
import { FairLine } from '../../src/prediction/fair-line.ts'
import { SharedRoom } from '../../src/prediction/shared-room.ts'

/** Work that the test ends, and the order in which it began. */
function workshop(): {
  readonly begun: string[]
  readonly work: (name: string) => () => Promise<string>
  readonly end: () => Promise<void>
} {
  const begun: string[] = []
  let running: (() => void) | undefined
  return {
    begun,
    work: (name) => () => {
      begun.push(name)
      return new Promise((resolve) => (running = () => resolve(name)))
    },
    end: async () => {
      running?.()
      await new Promise(setImmediate)
    },
  }
}

it('runs one at a time, of each owner in turn', async () => {
  const { begun, work, end } = workshop()
  const line = new FairLine()
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => line.add('a', work(name)))
  all.push(line.add('b', work('b1')), line.add('b', work('b2')), line.add('c', work('c1')))
  expect(begun).toEqual(['a1'])
  for (let i = 0; i < 7; i++) await end()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
})

it('goes on after work that fails, and starts again when it was empty', async () => {
  const line = new FairLine()
  const failed = line.add('a', () => Promise.reject(new Error('no')))
  expect(await line.add('a', async () => 1)).toBe(1)
  await expect(failed).rejects.toThrow('no')
  expect(await line.add('b', async () => 2)).toBe(2)
})

it.each([
  [1, 16],
  [10, 2],
  [60, 1],
])('leaves room for others beside %d owners that take all they may', (owners, least) => {
  const room = new SharedRoom(80, 0.25)
  for (let round = 0; round < 64; round++) {
    for (let i = 0; i < owners; i++) if (room.hasRoom(`a${i}`)) room.take(`a${i}`)
  }
  const counts = Array.from({ length: owners }, (_, i) => room.held(`a${i}`))
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(least)
  expect(room.taken).toBe(counts.reduce((sum, count) => sum + count, 0))
  expect(room.hasRoom('another')).toBe(true)
  for (const [i, count] of counts.entries()) for (let k = 0; k < count; k++) room.free(`a${i}`)
  expect([room.taken, room.held('a0')]).toEqual([0, 0])
})
